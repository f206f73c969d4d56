// Unnamed objects: arrays and structures written where they are used.
#include <svcomp.h>

struct range {
    int low, high;
};

static int inside(const struct range *r, int x) { return r->low <= x && x < r->high; }

static int any(const struct range *ranges, int count, int x) {
    for (int i = 0; i < count; i++)
        if (inside(&ranges[i], x)) return 1;
    return 0;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int found = any((struct range[]){{0, 5}, {10, 19}}, 2, x);  // The bug: the end is not inside.
    if (found != ((x >= 0 && x < 5) || (x >= 10 && x <= 19))) reach_error();
    int *numbers = (int[3]){[2] = x};
    if (numbers[0] != 0 || numbers[1] != 0 || numbers[2] != x) reach_error();
    return 0;
}
