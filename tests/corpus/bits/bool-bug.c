// Conversion to _Bool asks for zero; conversion to a narrow integer cuts.
#include <stdbool.h>
#include <svcomp.h>

typedef unsigned char truth;  // The bug: 256 becomes 0.

static truth any(unsigned flags) { return flags; }

int main(void) {
    unsigned flags = __VERIFIER_nondet_uint();
    if (flags != 0 && !any(flags)) reach_error();
    if (flags == 0 && any(flags)) reach_error();
    bool b = 0.5;
    if (b != 1 || b + b != 2) reach_error();
    return 0;
}
