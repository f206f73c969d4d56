// Is there room for a number of bytes behind a place?
#include <stddef.h>
#include <svcomp.h>

static char buffer[64];

static int fits(size_t at, size_t length) {
    return buffer + at + length <= buffer + sizeof buffer;  // The bug: the sum may wrap around.
}

int main(void) {
    size_t at = __VERIFIER_nondet_ulong() % 64, length = __VERIFIER_nondet_ulong();
    return fits(at, length);
}
