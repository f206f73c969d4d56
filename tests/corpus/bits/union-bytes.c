// The bytes of an integer through a union, on a machine whose first byte is the lowest.
#include <stdint.h>
#include <svcomp.h>

union word {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
};

int main(void) {
    union word w = {.whole = __VERIFIER_nondet_u32()};
    uint32_t sum = 0;
    for (int i = 3; i >= 0; i--) sum = sum << 8 | w.byte[i];
    if (sum != w.whole) reach_error();
    w.byte[1] = 0x7f;
    if ((w.half[0] >> 8) != 0x7f) reach_error();
    if ((w.whole & 0xff00) != 0x7f00) reach_error();
    return 0;
}
