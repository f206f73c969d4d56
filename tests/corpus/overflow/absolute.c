// The absolute value of a number that is read.
#include <limits.h>
#include <svcomp.h>

static int absolute(int x) {
    if (x == INT_MIN) return INT_MAX;
    return x < 0 ? -x : x;
}

int main(void) { return absolute(__VERIFIER_nondet_int()) < 0; }
