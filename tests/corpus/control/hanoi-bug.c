// The towers of Hanoi: a disk never lies on a smaller one.
#include <svcomp.h>

static int peg[3][4], height[3], moves;

static void move(int from, int to) {
    int disk = peg[from][--height[from]];
    if (height[to] > 0 && peg[to][height[to] - 1] < disk) reach_error();
    peg[to][height[to]++] = disk;
    moves++;
}

static void solve(int n, int from, int to, int via) {
    if (n == 0) return;
    solve(n - 1, from, via, to);
    move(from, to);
    solve(n - 1, via, from, to);  // The bug: the smaller ones go back where they were.
}

int main(void) {
    for (int i = 0; i < 4; i++) peg[0][height[0]++] = 4 - i;
    solve(4, 0, 2, 1);
    if (moves != 15 || height[2] != 4) reach_error();
    return 0;
}
