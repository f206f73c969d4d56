// An array whose length is known when the function is entered.
#include <svcomp.h>

static int last(int n) {
    int values[n];
    for (int i = 0; i < n; i++) values[i] = i + 1;
    return values[n - 1];
}

int main(void) {
    int n = __VERIFIER_nondet_uint() % 4 + 1;
    if (last(n) != n) reach_error();
    return 0;
}
