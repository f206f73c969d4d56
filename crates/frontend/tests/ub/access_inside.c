// All of it, and nothing else.
// checks: deref
// violates: nothing
#include <stdlib.h>
int main(void) {
    int a[3], *p = malloc(12);
    for (int i = 0; i < 3; i++)
        a[i] = p[i] = i;
    return a[2] + p[2];
}
