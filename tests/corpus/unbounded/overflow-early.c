// Powers, as many as the input wants.
#include <svcomp.h>

int main(void) {
    int x = 7;
    while (__VERIFIER_nondet_bool()) x *= x;
    return x == 0;
}
