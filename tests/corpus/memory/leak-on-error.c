// Two allocations, of which the second may be refused.
#include <stdlib.h>
#include <svcomp.h>

struct pair {
    int *first, *second;
};

static int *maybe(void) { return __VERIFIER_nondet_bool() ? calloc(4, sizeof(int)) : NULL; }

static int make(struct pair *p) {
    p->first = maybe();
    if (!p->first) return -1;
    p->second = maybe();
    if (!p->second) {
        free(p->first);
        return -1;
    }
    return 0;
}

int main(void) {
    struct pair p;
    if (make(&p) != 0) return 1;
    p.first[3] = p.second[0];
    free(p.first);
    free(p.second);
    return 0;
}
