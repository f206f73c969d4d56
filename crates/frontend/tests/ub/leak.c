// The only pointer is overwritten.
// checks: leak
// violates: leak
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    p = 0;
    return p != 0;
}
