// A number is counted down to zero and up again.
#include <svcomp.h>

static unsigned count(unsigned n) {
    if (n == 0) return 0;
    return count(n - 1) + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (count(n) != n) reach_error();
    return 0;
}
