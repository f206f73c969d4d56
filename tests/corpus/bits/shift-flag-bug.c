// Flags kept in one word.
#include <svcomp.h>

typedef int flags;  // The bug: the highest flag shifts a bit into the sign.

static flags set;

static void raise_flag(unsigned number) {
    if (number < 32) set |= (flags)1 << number;
}

int main(void) {
    for (int i = 0; i < 3; i++) raise_flag(__VERIFIER_nondet_uint());
    return set != 0;
}
