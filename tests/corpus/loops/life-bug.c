// Conway's game: a row of three turns, and turns back.
#include <string.h>
#include <svcomp.h>

#define N 5

static char world[N][N], next[N][N];

static int neighbours(int r, int c) {
    int count = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            if (i && j) count += world[(r + i + N) % N][(c + j + N) % N];  // The bug: diagonals only.
    return count;
}

static void step(void) {
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) {
            int n = neighbours(r, c);
            next[r][c] = n == 3 || (n == 2 && world[r][c]);
        }
    memcpy(world, next, sizeof world);
}

int main(void) {
    world[2][1] = world[2][2] = world[2][3] = 1;
    step();
    if (!world[1][2] || !world[3][2] || world[2][1]) reach_error();
    step();
    if (!world[2][1] || !world[2][3] || world[1][2]) reach_error();
    return 0;
}
