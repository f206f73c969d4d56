// The upper half of a product, by 128-bit arithmetic and by halves.
#include <stdint.h>
#include <svcomp.h>

static uint64_t upper(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }

static uint64_t upper_by_halves(uint64_t a, uint64_t b) {
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, mid1 = ah * bl, mid2 = al * bh;
    uint64_t carry = ((uint64_t)(uint32_t)mid1 + (uint32_t)mid2) >> 32;  // The bug: the low product carries too.
    return ah * bh + (mid1 >> 32) + (mid2 >> 32) + carry;
}

int main(void) {
    static const uint64_t cases[] = {0, 1, 0xffffffffu, 0x100000000u, 0x8000000000000000u, 0xffffffffffffffffu, 0x123456789abcdefu};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned j = 0; j < sizeof cases / sizeof *cases; j++)
            if (upper(cases[i], cases[j]) != upper_by_halves(cases[i], cases[j])) reach_error();
    return 0;
}
