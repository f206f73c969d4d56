// Of three parts a round gives one to one of two, and two to the other.
#include <svcomp.h>

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 0;
    for (unsigned i = 0; i < n; i++) {
        if (__VERIFIER_nondet_bool()) {
            a += 1;
            b += 2;
        } else {
            a += 2;
            b += 2; // The bug: four parts.
        }
    }
    if (a + b != 3 * n) reach_error();
    return 0;
}
