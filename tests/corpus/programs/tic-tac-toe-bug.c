// Has someone won? Not both, if they take turns.
#include <svcomp.h>

static char board[9];

static int won(char who) {
    static const unsigned char lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (int i = 0; i < 8; i++)
        if (board[lines[i][0]] == who && board[lines[i][1]] == who && board[lines[i][2]] == who) return 1;
    return 0;
}

int main(void) {
    for (int turn = 0; turn < 6; turn++) {
        unsigned at = __VERIFIER_nondet_uchar();
        if (at > 8 || board[at]) return 0;
        board[at] = turn % 2 ? 'o' : 'x';
        if (won('x') && won('o')) break;  // The bug: the game goes on after it is won.
    }
    if (won('x') && won('o')) reach_error();
    return 0;
}
