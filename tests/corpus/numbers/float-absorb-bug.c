// Adding one to a float changes it, as long as it is not too large.
#include <svcomp.h>

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= 0 && x <= 16777216.0f)) return 0;  // The bug: two to the power of 24 absorbs one.
    if (x + 1.0f == x) reach_error();
    return 0;
}
