// Of an object that nobody reads.
// checks: deref
// violates: deref
#include <string.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    memset(p, 0, 5);
    return 0;
}
