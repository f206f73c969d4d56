// A lock is taken and given back in turn.
#include <svcomp.h>

static int held;

static void take(void) {
    if (held) reach_error();
    held = 1;
}

static void give(void) {
    if (!held) reach_error();
    held = 0;
}

int main(void) {
    for (;;) {
        take();
        int again = __VERIFIER_nondet_bool();
        give();
        if (!again) break;
    }
    return 0;
}
