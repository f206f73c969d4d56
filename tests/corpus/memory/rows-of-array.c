// Walks a table row by row.
#include <svcomp.h>

static int table[3][5];

int main(void) {
    unsigned row = __VERIFIER_nondet_uint() % 3, column = __VERIFIER_nondet_uchar();
    if (column < 5) table[row][column]++;
    return table[0][0];
}
