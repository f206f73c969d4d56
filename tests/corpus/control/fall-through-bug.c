// Commands of a small machine, some of which fall through on purpose.
#include <svcomp.h>

enum command { NOP, DOUBLE, INCREMENT, CLEAR };

static int run(enum command c, int x) {
    switch (c) {
    case DOUBLE:
        x *= 2;
        // The bug: nothing ends this case.
    case CLEAR:
        x = 0;
        /* fall through */
    case INCREMENT:
        x++;
        break;
    case NOP:
        break;
    }
    return x;
}

int main(void) {
    int x = __VERIFIER_nondet_uint() % 100;
    if (run(DOUBLE, x) != 2 * x) reach_error();
    if (run(CLEAR, x) != 1 || run(INCREMENT, x) != x + 1 || run(NOP, x) != x) reach_error();
    return 0;
}
