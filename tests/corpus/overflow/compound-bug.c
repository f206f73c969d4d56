// Compound assignment promotes, computes, and converts back.
#include <svcomp.h>

int main(void) {
    signed char c = __VERIFIER_nondet_schar();
    short s = __VERIFIER_nondet_short();
    int i = __VERIFIER_nondet_int();
    c += 1;
    s *= s;
    c = -c;
    i -= s;  // The bug: no room is checked for.
    return c == s && i == 0;
}
