// Ackermann's function of small numbers.
#include <svcomp.h>

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
    int n = __VERIFIER_nondet_uint() % 4;
    if (ackermann(2, n) != 2 * n + 3 + (n == 3)) reach_error();  // The bug: wrong for three.
    return 0;
}
