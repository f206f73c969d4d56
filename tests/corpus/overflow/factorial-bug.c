// Factorials by recursion.
#include <svcomp.h>

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 13) return 0;  // The bug: 13! is too large.
    return factorial(n) == 24;
}
