// Counts down from anything.
#include <svcomp.h>

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), start = n, steps = 0;
    while (n > 0) {
        n--;
        steps++;
    }
    if (steps != start) reach_error();
    return 0;
}
