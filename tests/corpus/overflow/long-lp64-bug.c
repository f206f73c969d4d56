// The same on a machine with 64-bit long.
#include <svcomp.h>

int main(void) {
    int seconds = __VERIFIER_nondet_int();
    if (seconds < 0 || seconds > 10000000) return 0;
    long ms = seconds * 1000;  // The bug: the product is an int.
    return ms == 5;
}
