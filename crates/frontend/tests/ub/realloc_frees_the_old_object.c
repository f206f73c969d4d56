// By a model of the library.
// checks: deref
// violates: deref
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    *p = 1;
    int *q = realloc(p, 8);
    if (q)
        return *p;
    return 0;
}
