// A level that goes up and down, within its limits.
#include <svcomp.h>

int main(void) {
    int level = 50;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool() && level < 100) level++;
        else if (level > 0) level--;
    }
    return level;
}
