// A growable array with up to N elements and any room that fits; one element is put anywhere.
//
// The elements before it and behind it are those that there were; the array that it is given is not changed by a look-up.
#include <selkie.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 4
#endif

struct vector {
    int *items;
    size_t used, room;
};

static int reserve(struct vector *v, size_t wanted) {
    if (wanted <= v->room) return 1;
    size_t room = v->room ? v->room : 1;
    while (room < wanted) room *= 2;
    int *items = realloc(v->items, room * sizeof *items);
    if (!items) return 0;
    v->items = items;
    v->room = room;
    return 1;
}

static int insert(struct vector *v, size_t at, int item) {
#ifdef BUG
    if (at > v->used || !reserve(v, v->used)) return 0;
#else
    if (at > v->used || !reserve(v, v->used + 1)) return 0;
#endif
    memmove(v->items + at + 1, v->items + at, (v->used - at) * sizeof *v->items);
    v->items[at] = item;
    v->used++;
    return 1;
}

static size_t find(const struct vector *v, int item) {
    size_t at = 0;
    while (at < v->used && v->items[at] != item) at++;
    return at;
}

int main(void) {
    struct vector v = {NULL, 0, 0};
    size_t used = sk_nondet_size_t(), at = sk_nondet_size_t();
    sk_assume(used <= N);
    int before[N];
    for (size_t i = 0; i < used; i++) {
        before[i] = sk_nondet_int();
        if (!insert(&v, i, before[i])) return 0;
    }
    int item = sk_nondet_int();
    if (insert(&v, at, item)) {
        sk_assert(v.used == used + 1 && v.used <= v.room);
        for (size_t i = 0; i < used; i++) sk_assert(v.items[i < at ? i : i + 1] == before[i]);
        sk_reset_modified(v.items);
        sk_assert(find(&v, item) <= at);
        sk_assert(!sk_is_modified(v.items));
    } else {
        sk_assert(at > used);
    }
    free(v.items);
    return 0;
}
