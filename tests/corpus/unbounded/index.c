// An index that goes round for ever.
#include <svcomp.h>

static int slots[8];

int main(void) {
    unsigned at = 0;
    while (__VERIFIER_nondet_bool()) {
        slots[at]++;
        at = at == 7 ? 0 : at + 1;
    }
    return 0;
}
