// Conversions between widths and signs.
#include <stdint.h>
#include <svcomp.h>

int main(void) {
    int32_t x = __VERIFIER_nondet_int();
    uint16_t low = (uint16_t)x;
    int16_t high = (int16_t)(x >> 16);
    int32_t back = (int32_t)((uint32_t)high << 16 | (int16_t)low);  // The bug: the lower half is widened with its sign.
    if (back != x) reach_error();
    if ((int64_t)x != (int64_t)(int32_t)(uint32_t)(int64_t)x) reach_error();
    return 0;
}
