// What one counter loses the other one gains: a sum of two numbers is bounded.
#include <svcomp.h>

int main(void) {
    int left = 1000;
    int taken = 3;
    while (left > 0 && __VERIFIER_nondet_bool()) {
        left--;
        taken++;
    }
    if (left + taken != 1003) reach_error();
    return 0;
}
