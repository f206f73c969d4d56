// The same where pointers have eight bytes.
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    void **table = malloc(4 * sizeof(int));  // The bug: pointers have eight bytes here.
    if (!table) return 1;
    for (int i = 0; i < 4; i++) table[i] = &table;
    free(table);
    return 0;
}
