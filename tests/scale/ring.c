// A ring buffer of N elements in any valid state; one operation; valid again, and the right effect.
#include <selkie.h>
#include <stdlib.h>

#ifndef N
#define N 4
#endif

struct ring {
    int *items;
    size_t capacity, head, used;
};

static int valid(const struct ring *r) {
    return r->items && r->capacity > 0 && r->head < r->capacity && r->used <= r->capacity;
}

static int push(struct ring *r, int x) {
    if (r->used == r->capacity) return 0;
    size_t at = r->head + r->used;
#ifdef BUG
    if (at > r->capacity) at -= r->capacity;
#else
    if (at >= r->capacity) at -= r->capacity;
#endif
    r->items[at] = x;
    r->used++;
    return 1;
}

static int pop(struct ring *r, int *x) {
    if (r->used == 0) return 0;
    *x = r->items[r->head++];
    if (r->head == r->capacity) r->head = 0;
    r->used--;
    return 1;
}

int main(void) {
    struct ring r;
    r.capacity = sk_nondet_size_t();
    sk_assume(r.capacity > 0 && r.capacity <= N);
    r.head = sk_nondet_size_t();
    r.used = sk_nondet_size_t();
    r.items = malloc(r.capacity * sizeof *r.items);
    if (!r.items) return 0;
    for (size_t i = 0; i < r.capacity; i++) r.items[i] = sk_nondet_int();
    sk_assume(valid(&r));
    size_t used = r.used;
    int x = sk_nondet_int(), first = r.items[r.head];
    if (push(&r, x)) {
        sk_assert(valid(&r) && r.used == used + 1);
        int y = 0, last = 0, n = 0;
        while (pop(&r, &y)) {
            if (n++ == 0) sk_assert(y == (used ? first : x));
            last = y;
        }
        sk_assert(last == x && (size_t)n == used + 1);
    } else {
        sk_assert(used == r.capacity);
    }
    free(r.items);
    return 0;
}
