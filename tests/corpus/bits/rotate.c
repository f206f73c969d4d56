// Rotation of a word by any amount.
#include <stdint.h>
#include <svcomp.h>

static uint32_t rotate_left(uint32_t x, unsigned n) {
    n &= 31;
    return x << n | x >> (-n & 31);
}

int main(void) {
    uint32_t x = __VERIFIER_nondet_u32();
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n < 32);
    return rotate_left(x, n) == x && n == 5;
}
