// Every int survives as a double; not every int survives as a float.
#include <svcomp.h>

int main(void) {
    int n = __VERIFIER_nondet_int();
    float x = n;  // The bug: 24 bits of precision.
    if (x < 2147483520.0 && (int)x != n) reach_error();
    return 0;
}
