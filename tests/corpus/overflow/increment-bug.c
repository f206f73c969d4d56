// A counter of events, in a loop that the input stops.
#include <limits.h>
#include <svcomp.h>

int main(void) {
    int count = __VERIFIER_nondet_int();
    for (int i = 0; i < 5 && __VERIFIER_nondet_bool(); i++) {
        count++;
    }
    return count == 3;
}
