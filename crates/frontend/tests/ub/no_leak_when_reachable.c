// A global keeps it.
// checks: leak
// violates: nothing
#include <stdlib.h>
int *g;
int main(void) {
    g = malloc(4);
    return 0;
}
