// A priority queue in an array, with any N valid elements; one is put in, then the least is taken out.
//
// It is a heap afterwards; what came out is the least; nothing else was written.
#include <selkie.h>

#ifndef N
#define N 4
#endif

struct queue {
    unsigned items[N + 1];
    int used;
};

static void put(struct queue *q, unsigned item) {
    int at = q->used++;
    while (at > 0 && q->items[(at - 1) / 2] > item) {
        q->items[at] = q->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    q->items[at] = item;
}

static unsigned take(struct queue *q) {
    unsigned least = q->items[0], item = q->items[--q->used];
    int at = 0;
    while (2 * at + 1 < q->used) {
        int below = 2 * at + 1;
#ifdef BUG
        if (below + 1 < q->used && q->items[below + 1] > q->items[below]) below++;
#else
        if (below + 1 < q->used && q->items[below + 1] < q->items[below]) below++;
#endif
        if (q->items[below] >= item) break;
        q->items[at] = q->items[below];
        at = below;
    }
    q->items[at] = item;
    return least;
}

static int is_heap(const struct queue *q) {
    for (int i = 1; i < q->used; i++)
        if (q->items[(i - 1) / 2] > q->items[i]) return 0;
    return 1;
}

int main(void) {
    struct queue q;
    q.used = N;
    for (int i = 0; i < N; i++) q.items[i] = sk_nondet_uint();
    sk_assume(is_heap(&q));
    unsigned least = q.items[0], item = sk_nondet_uint();
    put(&q, item);
    sk_assert(is_heap(&q));
    sk_assert(take(&q) == (item < least ? item : least));
    sk_assert(q.used == N);
    sk_assert(is_heap(&q));
    return 0;
}
