// The largest of the positive numbers among some.
#include <svcomp.h>

int main(void) {
    int best, found = 0;
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x <= 0) continue;
        if (x > best) best = x;  // The bug: the first one is compared with nothing.
        found = 1;
    }
    return found && best == 7;
}
