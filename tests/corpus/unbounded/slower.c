// One counter grows by the other one, which grows by one: it stays at least as large while nothing overflows.
#include <svcomp.h>

int main(void) {
    int x = 1;
    int y = 0;
    while (__VERIFIER_nondet_bool()) {
        if (x > 1000000) break;
        x = x + y;
        y++;
    }
    if (x < y) reach_error();
    return 0;
}
