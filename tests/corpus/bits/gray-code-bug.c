// Neighbours in Gray code differ in one bit; decoding inverts encoding.
#include <stdint.h>
#include <svcomp.h>

static uint16_t encode(uint16_t n) { return n ^ n >> 1; }

static uint16_t decode(uint16_t g) {
    for (int shift = 4; shift > 0; shift /= 2) g ^= g >> shift;  // The bug: the upper byte is not folded in.
    return g;
}

int main(void) {
    uint16_t n = __VERIFIER_nondet_ushort();
    if (decode(encode(n)) != n) reach_error();
    uint16_t change = encode(n) ^ encode((uint16_t)(n + 1));
    if (change & (change - 1)) reach_error();
    return 0;
}
