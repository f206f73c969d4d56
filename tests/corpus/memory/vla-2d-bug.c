// A parameter whose type depends on another parameter.
#include <svcomp.h>

static int corner(int rows, int columns, int m[rows][columns]) {
    return m[columns - 1][rows - 1];  // The bug: rows and columns exchanged.
}

int main(void) {
    int m[2][4] = {{1, 2, 3, 4}, {5, 6, 7, __VERIFIER_nondet_int()}};
    return corner(2, 4, m) == 9;
}
