// The sum of arguments, with their number in front.
#include <stdarg.h>
#include <svcomp.h>

static long sum(int count, ...) {
    va_list arguments;
    long total = 0;
    va_start(arguments, count);
    for (int i = 0; i < count; i++) total += va_arg(arguments, int);
    va_end(arguments);
    return total;
}

int main(void) {
    int a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short(), c = __VERIFIER_nondet_short();
    if (sum(3, a, b, c) != (long)a + b + c) reach_error();
    if (sum(0) != 0) reach_error();
    return 0;
}
