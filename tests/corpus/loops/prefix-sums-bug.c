// The sum of any part of an array, by differences.
#include <svcomp.h>

int main(void) {
    int a[4], sums[5] = {0};
    for (int i = 0; i < 4; i++) {
        a[i] = __VERIFIER_nondet_schar();
        sums[i + 1] = sums[i] + a[i];
    }
    unsigned low = __VERIFIER_nondet_uint() % 5, high = __VERIFIER_nondet_uint() % 5;
    if (low > high) return 0;
    int direct = 0;
    for (unsigned i = low; i < high; i++) direct += a[i];
    if (sums[high] - sums[low] != direct + (low == high)) reach_error();  // The bug: an empty part has sum zero.
    return 0;
}
