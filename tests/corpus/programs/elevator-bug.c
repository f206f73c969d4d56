// Doors are closed while the cabin moves.
#include <assert.h>
#include <selkie.h>
#include <stdbool.h>

struct cabin {
    int floor;
    bool door_open, moving;
};

static void request(struct cabin *c, int floor) {
    if (floor == c->floor) {
        c->door_open = true;
        return;
    }
    c->moving = true;
    assert(!(c->moving && c->door_open));
    c->floor += floor > c->floor ? 1 : -1;
    c->moving = false;
}

int main(void) {
    struct cabin c = {0, false, false};
    for (int i = 0; i < 4; i++) {
        int floor = sk_nondet_int();
        sk_assume(floor >= 0 && floor < 5);
        request(&c, floor);
        assert(c.floor >= 0 && c.floor < 5);
    }
    return 0;
}
