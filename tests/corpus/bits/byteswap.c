// Swapping bytes twice changes nothing, and the first byte becomes the last.
#include <stdint.h>
#include <svcomp.h>

static uint32_t swap(uint32_t x) {
    return x >> 24 | (x >> 8 & 0xff00u)
        | (x << 8 & 0xff0000u)
        | x << 24;
}

int main(void) {
    uint32_t x = __VERIFIER_nondet_u32();
    if (swap(swap(x)) != x) reach_error();
    if ((swap(x) & 0xff) != x >> 24) reach_error();
    return 0;
}
