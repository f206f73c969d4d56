// A point between two, for a share between zero and one.
#include <svcomp.h>

int main(void) {
    float t = __VERIFIER_nondet_float();
    if (!(t >= 0.0f && t <= 1.25f)) return 0;  // The bug: shares above one leave the interval.
    float x = 2.0f + 2.0f * t;
    if (x < 2.0f || x > 4.0f) reach_error();
    return 0;
}
