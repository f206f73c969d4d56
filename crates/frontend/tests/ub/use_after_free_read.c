// The value read is not used.
// checks: deref
// violates: deref
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    free(p);
    int x = *p;
    (void)x;
    return 0;
}
