// Sorts numbers that are not known.
#include <svcomp.h>

#define N 4

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < N; i++) {
        int x = a[i], j = i;
        for (; j > 1 && a[j - 1] > x; j--) a[j] = a[j - 1];  // The bug: never moves the first.
        a[j] = x;
    }
    for (int i = 0; i + 1 < N; i++)
        if (a[i] > a[i + 1]) reach_error();
    return 0;
}
