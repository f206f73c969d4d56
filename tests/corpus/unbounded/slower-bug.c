// One counter grows by the other one, but starts no higher.
#include <svcomp.h>

int main(void) {
    int x = 0;  // The bug
    int y = 0;
    while (__VERIFIER_nondet_bool()) {
        if (x > 1000000) break;
        x = x + y;
        y++;
    }
    if (x < y) reach_error();
    return 0;
}
