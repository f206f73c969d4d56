// A local variable is not on the heap.
// checks: free
// violates: free
#include <stdlib.h>
int main(void) {
    int x = 1;
    free(&x);
    return 0;
}
