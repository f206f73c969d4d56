// exit judges as a return does.
// checks: leak
// violates: leak
#include <stdlib.h>
int main(void) {
    int **p = malloc(sizeof *p);
    *p = malloc(4);
    *p = 0;
    exit(0);
}
