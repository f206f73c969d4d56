// A lock that opens after the right three keys.
#include <svcomp.h>

enum state { CLOSED, FIRST, SECOND, OPEN };

static enum state next(enum state s, int key) {
    switch (s) {
    case CLOSED: return key == 4 ? FIRST : CLOSED;
    case FIRST: return key == 7 ? SECOND : key == 4 ? FIRST : CLOSED;
    case SECOND: return key == 1 ? OPEN : key == 4 ? FIRST : CLOSED;
    case OPEN: return OPEN;
    }
    return CLOSED;
}

int main(void) {
    int keys[5];
    enum state s = CLOSED;
    for (int i = 0; i < 5; i++) {
        keys[i] = __VERIFIER_nondet_uchar() % 10;
        s = next(s, keys[i]);
        if (s == OPEN) {
            if (i < 2 || keys[i] != 1 || keys[i - 1] != 7 || keys[i - 2] != 4) reach_error();
            break;
        }
    }
    return 0;
}
