// A pointer to a variable of an inner block.
#include <svcomp.h>

int main(void) {
    int *p;
    int outer = 1;
    if (__VERIFIER_nondet_bool()) {
        outer = 2;
        p = &outer;
    } else {
        p = &outer;
    }
    return *p;
}
