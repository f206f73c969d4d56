// A loop without a bound whose error is near.
#include <svcomp.h>

int main(void) {
    unsigned x = 1, rounds = 0;
    while (__VERIFIER_nondet_bool()) {
        x *= 3;
        rounds++;
    }
    if (x == 81) reach_error();
    return 0;
}
