// A block of no bytes may be had and freed, but not read.
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 3;
    char *p = malloc(n);
    if (!p) return 0;
    if (n > 0) p[n - 1] = 'z';
    free(p);
    return 0;
}
