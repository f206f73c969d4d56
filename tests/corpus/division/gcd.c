// Euclid's algorithm, and a fraction reduced by it.
#include <svcomp.h>

static unsigned gcd(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(void) {
    unsigned numerator = __VERIFIER_nondet_uint() % 8, denominator = __VERIFIER_nondet_uint() % 8;
    if (denominator == 0) return 0;
    unsigned common = gcd(numerator, denominator);
    return numerator / common + denominator / common == 3;
}
