// What was copied is equal everywhere, in an array that is longer than any unrolling.
#include <svcomp.h>

enum { N = 300000 };
int from[N], to[N];

int main(void) {
    for (int i = 0; i < N; i++) from[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++) to[i] = from[i];
    for (int i = 0; i < N; i++)
        if (to[i] != from[i]) reach_error();
    return 0;
}
