// One of these functions is right, one is not. `selkie verify examples/first.c` finds which.
#include <assert.h>

extern int sk_nondet_int(void);
extern void sk_assume(_Bool);

// The difference of two numbers that are not negative is one as well: nothing overflows.
static int midpoint(int low, int high) {
    return low + (high - low) / 2;
}

// This one is what people write first: right for small numbers, and it overflows for large ones.
static int average(int low, int high) {
    return (low + high) / 2;
}

int main(void) {
    int low = sk_nondet_int();
    int high = sk_nondet_int();
    sk_assume(0 <= low && low <= high);
    int a = midpoint(low, high);
    assert(low <= a && a <= high);
    int b = average(low, high);
    assert(a == b);
    return 0;
}
