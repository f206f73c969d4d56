// The absolute value without a branch; a right shift copies the sign here.
#include <svcomp.h>

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == -2147483647 - 1) return 0;
    int mask = x >> 31;
    int quick = (x ^ mask) + mask;  // The bug: takes one away from negative numbers.
    int plain = x < 0 ? -x : x;
    if (quick != plain) reach_error();
    return 0;
}
