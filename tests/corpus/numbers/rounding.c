// Rounds to the nearest integer by adding a half.
#include <math.h>
#include <svcomp.h>

int main(void) {
    static const float samples[] = {0.25f, 0.5f, 1.75f, 2.5f, 100.0f, 0.49999997f};
    unsigned which = __VERIFIER_nondet_uint() % 5;
    float x = samples[which];
    if (floorf(x + 0.5f) != roundf(x)) reach_error();
    return 0;
}
