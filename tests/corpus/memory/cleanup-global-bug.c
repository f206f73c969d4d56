// A cache in a global: still reachable at the end, and so tracked, but not freed.
#include <stdlib.h>
#include <svcomp.h>

static int *cache;

static int lookup(int key) {
    if (!cache) {
        cache = calloc(8, sizeof *cache);
        if (!cache) abort();
    }
    return cache[key & 7]++;
}

int main(void) {
    int n = __VERIFIER_nondet_uint() % 3, sum = 0;
    for (int i = 0; i < n; i++) sum += lookup(i);
    return sum;
}
