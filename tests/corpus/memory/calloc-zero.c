// calloc gives zeros, malloc does not.
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    int *a = calloc(3, sizeof *a);
    if (!a) return 0;
    int first = a[0];
    free(a);
    if (first != 0) reach_error();
    return 0;
}
