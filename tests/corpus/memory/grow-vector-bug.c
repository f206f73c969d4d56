// An array that grows by realloc.
#include <stdlib.h>
#include <svcomp.h>

struct vector {
    int *items;
    size_t length, room;
};

static int append(struct vector *v, int item) {
    if (v->length == v->room) {
        size_t room = v->room ? 2 * v->room : 2;
        int *items = realloc(v->items, room * sizeof room / 4);  // The bug: bytes and items mixed up.
        if (!items) return 0;
        v->items = items;
        v->room = room;
    }
    v->items[v->length++] = item;
    return 1;
}

int main(void) {
    struct vector v = {NULL, 0, 0};
    int count = __VERIFIER_nondet_uint() % 6;
    for (int i = 0; i < count; i++)
        if (!append(&v, i)) break;
    free(v.items);
    return 0;
}
