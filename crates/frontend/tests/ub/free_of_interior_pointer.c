// Only the base of an object may be freed.
// checks: free
// violates: free
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    free(p + 1);
    return 0;
}
