// Two counters that are said to stay the same distance apart.
#include <svcomp.h>

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    int i = 0;
    int j = 5;
    while (i < n) {
        i++;
        if (i != 3) j++;  // The bug
    }
    if (j != n + 5) reach_error();
    return 0;
}
