// One counter is said to gain what the other one loses.
#include <svcomp.h>

int main(void) {
    int left = 1000;
    int taken = 3;
    while (left > 0 && __VERIFIER_nondet_bool()) {
        left--;
        if (left != 998) taken++;  // The bug
    }
    if (left + taken != 1003) reach_error();
    return 0;
}
