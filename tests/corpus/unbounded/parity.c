// A number that stays even.
#include <svcomp.h>

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_bool()) x += __VERIFIER_nondet_bool() ? 2 : 4;
    if (x % 2) reach_error();
    return 0;
}
