// Even and odd, each by the other.
#include <svcomp.h>

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 8;
    if (even(n) != (n % 2 == 0)) reach_error();
    return 0;
}
