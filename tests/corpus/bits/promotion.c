// Operators work on int, not on the narrow types of their operands.
#include <stdint.h>
#include <svcomp.h>

int main(void) {
    uint8_t x = __VERIFIER_nondet_uchar();
    uint8_t upper = (uint8_t)~x >> 4;
    if (upper > 15) reach_error();
    unsigned char a = 200, b = 100;
    if (a + b != 300) reach_error();
    signed char c = (signed char)(a + b);
    if (c != 44) reach_error();
    return 0;
}
