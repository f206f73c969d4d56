// A counter in a file of its own, used through its header.
#include "two-files.h"
#include <svcomp.h>

int main(void) {
    struct counter c = counter_make(3);
    unsigned steps = __VERIFIER_nondet_uint() % 6;
    for (unsigned i = 0; i < steps; i++) counter_step(&c);
    if (counter_value(&c) > 3) reach_error();
    if (steps < 3 && counter_value(&c) != steps) reach_error();
    return 0;
}
