// A length that may be negative, compared with a size.
#include <stddef.h>
#include <svcomp.h>

static int fits(int length, size_t room) {
    return length <= (int)room || length < room;  // The bug: a negative length fits.
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (fits(length, 64) && (length < 0 || length > 64)) reach_error();
    return 0;
}
