// Transposing a matrix twice changes nothing.
#include <svcomp.h>

#define N 3

static void transpose(int m[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {  // The bug: exchanges every pair twice.
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}

int main(void) {
    int m[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) m[i][j] = N * i + j;
    m[0][2] = __VERIFIER_nondet_int();
    int corner = m[0][2];
    transpose(m);
    if (m[2][0] != corner || m[0][1] != N) reach_error();
    return 0;
}
