// A global counts how deep calls nest, and is what it was when they have returned.
#include <svcomp.h>

static int depth;

static void nest(unsigned n) {
    if (n == 0) return;
    depth++;
    if (depth <= 0) reach_error();
    nest(n - 1);
    depth--;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000) return 0;
    nest(n);
    if (depth != 0) reach_error();
    return 0;
}
