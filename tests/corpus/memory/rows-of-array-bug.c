// Walks a table row by row.
#include <svcomp.h>

static int table[3][5];

int main(void) {
    unsigned row = __VERIFIER_nondet_uint() % 3, column = __VERIFIER_nondet_uchar();
    if (5 * row + column < 15) table[row][column]++;  // The bug: inside the table, outside the row.
    return table[0][0];
}
