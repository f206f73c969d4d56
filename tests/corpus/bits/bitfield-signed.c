// A flag that is one bit wide: what it is compared with depends on whether it is signed.
#include <svcomp.h>

struct state {
    unsigned ready : 1;
    int level : 4;
};

int main(void) {
    struct state s = {0, 0};
    int n = __VERIFIER_nondet_int();
    if (n < -8 || n > 7) return 0;
    s.level = n;
    s.ready = s.level > 3;
    if (s.level != n) reach_error();
    if (s.level == 5 && s.ready != 1) reach_error();
    return 0;
}
