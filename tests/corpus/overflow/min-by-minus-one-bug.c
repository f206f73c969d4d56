// Division has one result that does not fit.
#include <limits.h>
#include <svcomp.h>

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b == 0) return 0;
    return a / b > 3;
}
