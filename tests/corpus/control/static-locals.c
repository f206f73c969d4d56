// A counter that lives as long as the program.
#include <svcomp.h>

static unsigned ticket(void) {
    static unsigned next = 100;
    return next++;
}

int main(void) {
    unsigned calls = 2 + __VERIFIER_nondet_uint() % 3, last = 0;
    for (unsigned i = 0; i < calls; i++) last = ticket();
    if (last != 99 + calls) reach_error();
    return 0;
}
