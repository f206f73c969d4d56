// Two counters that go together, as long as the input wants.
#include <svcomp.h>

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_bool()) {
        x++;
        y += 2;
    }
    if (y != 2 * x) reach_error();
    return 0;
}
