// The second free is unused work for a compiler.
// checks: free
// violates: free
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    free(p);
    free(p);
    return 0;
}
