// The sign of a float, read from its representation.
#include <stdint.h>
#include <svcomp.h>

union bits {
    float value;
    uint32_t word;
};

int main(void) {
    union bits b;
    b.value = __VERIFIER_nondet_float();
    int negative = b.word >> 31;
    if (b.value < 0 && !negative) reach_error();
    if (b.value > 0 && negative) reach_error();
    if (negative && b.value > -0.0f) reach_error();
    return 0;
}
