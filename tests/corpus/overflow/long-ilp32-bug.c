// Milliseconds: long has 32 bits here.
#include <svcomp.h>

int main(void) {
    int seconds = __VERIFIER_nondet_int();
    if (seconds < 0 || seconds > 10000000) return 0;
    long ms = (long)seconds * 1000;  // The bug: right on machines with 64-bit long only.
    return ms == 5;
}
