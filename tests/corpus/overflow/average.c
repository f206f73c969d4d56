// The middle of two indices.
#include <svcomp.h>

static int middle(int low, int high) {
    return low + (high - low) / 2;
}

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low) return 0;
    return middle(low, high) < low;
}
