// A pointer into a block that is enlarged.
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    int *block = malloc(2 * sizeof *block);
    if (!block) return 1;
    block[0] = 7;
    block[1] = 8;
    int *last = block + 1;
    int *larger = realloc(block, 4 * sizeof *block);
    if (!larger) {
        free(block);
        return 1;
    }
    last = larger + 1;
    int value = *last;
    free(larger);
    return value;
}
