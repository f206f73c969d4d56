// Integers of 33 bits wrap at 33 bits.
#include <svcomp.h>

int main(void) {
    unsigned _BitInt(33) x = __VERIFIER_nondet_uint();
    unsigned _BitInt(33) tripled = x + x + x; // The bug: three times 32 bits need 34.
    if (tripled / 3 != x) reach_error();
    return 0;
}
