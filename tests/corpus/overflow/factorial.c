// Factorials by recursion.
#include <svcomp.h>

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 12) return 0;
    return factorial(n) == 24;
}
