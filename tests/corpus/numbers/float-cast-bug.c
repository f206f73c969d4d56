// A colour channel from a fraction.
#include <svcomp.h>

int main(void) {
    float fraction = __VERIFIER_nondet_float();
    if (fraction < 0 || fraction > 1) return 0;  // The bug: lets NaN through.
    unsigned char channel = (unsigned char)(fraction * 255.0f);
    return channel;
}
