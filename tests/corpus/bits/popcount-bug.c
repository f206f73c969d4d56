// Counts set bits by halves, against counting them one at a time.
#include <svcomp.h>

static unsigned by_halves(unsigned x) {
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x07070707u;  // The bug: eight bits set in a byte do not fit.
    x += x >> 8;
    x += x >> 16;
    return x & 0x3fu;
}

static unsigned one_by_one(unsigned x) {
    unsigned count = 0;
    for (int bit = 0; bit < 32; bit++) count += (x >> bit) & 1u;
    return count;
}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint() & 0x00ff00ffu;
    if (by_halves(x) != one_by_one(x)) reach_error();
    return 0;
}
