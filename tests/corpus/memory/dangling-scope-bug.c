// A pointer to a variable of an inner block.
#include <svcomp.h>

int main(void) {
    int *p;
    int outer = 1;
    if (__VERIFIER_nondet_bool()) {
        int inner = 2;
        p = &inner;  // The bug: the block ends before the pointer is used.
    } else {
        p = &outer;
    }
    return *p;
}
