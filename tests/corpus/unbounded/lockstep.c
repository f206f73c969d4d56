// Two counters stay the same distance apart: a difference of two numbers is bounded, neither of them is.
#include <svcomp.h>

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    int i = 0;
    int j = 5;
    while (i < n) {
        i++;
        j++;
    }
    if (j != n + 5) reach_error();
    return 0;
}
