// Reachable, but not freed.
// checks: cleanup
// violates: cleanup
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    return 0;
}
