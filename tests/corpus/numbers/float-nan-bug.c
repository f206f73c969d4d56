// The larger of two numbers is one of them, and not below the other: unless one is not a number.
#include <math.h>
#include <svcomp.h>

static float larger(float a, float b) { return a < b ? b : a; }

int main(void) {
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    if (isnan(a)) return 0;  // The bug: b may not be one.
    float c = larger(a, b);
    if (!(c >= a && c >= b)) reach_error();
    return 0;
}
