// Room for pointers, counted in the size of another type; the same size on this machine, or not.
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    void **table = malloc(4 * sizeof(short));  // The bug: pointers have four bytes here.
    if (!table) return 1;
    for (int i = 0; i < 4; i++) table[i] = &table;
    free(table);
    return 0;
}
