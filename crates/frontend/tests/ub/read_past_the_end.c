// The value read is not used.
// checks: deref
// violates: deref
#include <stdlib.h>
int main(void) {
    int *p = malloc(8);
    int x = p[2];
    (void)x;
    return 0;
}
