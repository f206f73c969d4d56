// A floating-point division by zero is an infinity; one of integers is not.
#include <svcomp.h>

int main(void) {
    double x = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    double ratio = 1.0 / x;
    return ratio > 2.0 || 100 % n == 0;  // The bug: n is asked too late, that is, not at all.
}
