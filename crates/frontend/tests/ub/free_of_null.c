// Null may be freed.
// checks: free
// violates: nothing
#include <stdlib.h>
int main(void) {
    free(0);
    return 0;
}
