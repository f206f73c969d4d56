// Scaling by a power of two whose exponent is computed.
#include <svcomp.h>

static int scale(int mantissa, int exponent) {
    if (mantissa < 0 || mantissa > 255 || exponent > 16) return 0;
    if (exponent < 0) return exponent < -8 ? 0 : mantissa >> -exponent;
    return mantissa << exponent;
}

int main(void) {
    return scale(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()) == 7;
}
