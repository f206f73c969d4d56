// Shifts the elements of an array by one.
#include <string.h>
#include <svcomp.h>

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    unsigned n = __VERIFIER_nondet_uint() % 5;
    memcpy(a + 1, a, n * sizeof *a);  // The bug: the ranges overlap.
    memcpy(a, a, 0);
    return a[1];
}
