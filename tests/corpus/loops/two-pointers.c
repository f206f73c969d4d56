// Merges two sorted halves.
#include <svcomp.h>

static void merge(const int *a, int n, const int *b, int m, int *out) {
    int i = 0, j = 0;
    while (i < n && j < m) *out++ = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < n) *out++ = a[i++];
    while (j < m) *out++ = b[j++];
}

int main(void) {
    int a[2], b[2], out[4];
    for (int i = 0; i < 2; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    if (a[0] > a[1] || b[0] > b[1]) return 0;
    merge(a, 2, b, 2, out);
    for (int i = 0; i < 3; i++)
        if (out[i] > out[i + 1]) reach_error();
    return 0;
}
