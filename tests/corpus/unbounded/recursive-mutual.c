// Two functions that call each other agree with the last bit.
#include <svcomp.h>

static int odd(unsigned n);

static int even(unsigned n) {
    if (n == 0) return 1;
    return odd(n - 1);
}

static int odd(unsigned n) {
    if (n == 0) return 0;
    return even(n - 1);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (even(n) != !(n & 1)) reach_error();
    return 0;
}
