// A matrix as an array of pointers to rows.
#include <stdlib.h>
#include <svcomp.h>

static int **make(int rows, int columns) {
    int **m = malloc((size_t)rows * sizeof *m);
    if (!m) abort();
    for (int i = 0; i < rows; i++) {
        m[i] = calloc((size_t)columns, sizeof **m);
        if (!m[i]) abort();
    }
    return m;
}

static void drop(int **m, int rows) {
    for (int i = 0; i < rows; i++) free(m[i]);
    free(m);
}

int main(void) {
    int **m = make(3, 2), trace = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) m[i][j] = i == j;
    for (int i = 0; i < 2; i++) trace += m[i][i];
    if (trace != 2) reach_error();
    drop(m, 3);
    return 0;
}
