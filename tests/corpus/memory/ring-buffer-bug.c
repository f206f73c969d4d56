// A queue in a ring, filled and emptied as the input says.
#include <svcomp.h>

#define ROOM 4

struct ring {
    int slot[ROOM];
    unsigned head, used;
};

static int push(struct ring *r, int value) {
    if (r->used > ROOM) return 0;
    r->slot[r->head + r->used] = value;  // The bug: runs on past the end.
    r->used++;
    return 1;
}

static int pop(struct ring *r, int *value) {
    if (r->used == 0) return 0;
    *value = r->slot[r->head];
    r->head = (r->head + 1) % ROOM;
    r->used--;
    return 1;
}

int main(void) {
    struct ring r = {{0}, 0, 0};
    int next = 0, expected = 0, value;
    for (int i = 0; i < 8; i++) {
        if (__VERIFIER_nondet_bool()) {
            if (push(&r, next)) next++;
        } else if (pop(&r, &value)) {
            if (value != expected++) reach_error();
        }
    }
    return 0;
}
