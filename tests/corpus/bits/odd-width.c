// Integers of 33 bits wrap at 33 bits.
#include <svcomp.h>

int main(void) {
    unsigned _BitInt(33) x = __VERIFIER_nondet_uint();
    unsigned _BitInt(33) doubled = x + x;
    if (doubled / 2 != x) reach_error();
    return 0;
}
