// Addition that stays at the ends of the range.
#include <limits.h>
#include <svcomp.h>

static int add(int a, int b) {
    if (b > 0 && a + b < a) return INT_MAX;  // The bug: asks after it has happened.
    if (b < 0 && a < INT_MIN - b) return INT_MIN;
    return a + b;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum = add(sum, __VERIFIER_nondet_int());
    return sum == 0;
}
