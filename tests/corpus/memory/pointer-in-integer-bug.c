// A tag in the lowest bit of an aligned pointer.
#include <stdint.h>
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    int *cell = malloc(sizeof *cell);
    if (!cell) return 1;
    *cell = 3;
    uintptr_t word = (uintptr_t)cell | (__VERIFIER_nondet_bool() ? 1 : 0);
    int *back = (int *)(word + sizeof *cell);  // The bug: behind the cell.
    int value = *back;
    free(cell);
    return value != 3;
}
