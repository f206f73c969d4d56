// Questions about memory, before it is used.
#include <selkie.h>
#include <stdlib.h>

int main(void) {
    unsigned size = sk_nondet_uint() % 9;
    unsigned char *p = malloc(size);
    if (!p) return 0;
    sk_havoc(p, size);
    unsigned at = sk_nondet_uint();
    if (sk_is_deref(p, 4) && at < 4) p[at] = 1;
    free(p);
    return 0;
}
