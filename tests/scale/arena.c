// An arena from which N pieces of symbolic size are taken, each aligned, with a mark to go back to.
//
// Pieces lie in the arena, are aligned, and do not overlap; after going back the room is what it was.
#include <selkie.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#define ROOM 64
#define ALIGN 8

struct arena {
    _Alignas(ALIGN) unsigned char bytes[ROOM];
    size_t used;
};

static void *take(struct arena *a, size_t size) {
    size_t start = (a->used + ALIGN - 1) & ~(size_t)(ALIGN - 1);
#ifdef BUG
    if (start + size > ROOM) return NULL;
#else
    if (start > ROOM || size > ROOM - start) return NULL;
#endif
    a->used = start + size;
    return a->bytes + start;
}

int main(void) {
    static struct arena a;
    unsigned char *pieces[N];
    size_t sizes[N];
    for (int i = 0; i < N; i++) {
        size_t before = a.used;
        sizes[i] = sk_nondet_size_t();
        pieces[i] = take(&a, sizes[i]);
        if (!pieces[i]) {
            sk_assert(a.used == before);
            sizes[i] = 0;
            continue;
        }
        sk_assert((pieces[i] - a.bytes) % ALIGN == 0);
        if (sizes[i] > 0) {
            pieces[i][0] = (unsigned char)i;
            pieces[i][sizes[i] - 1] = (unsigned char)i;
        }
        size_t mark = a.used;
        take(&a, sk_nondet_uchar());
        a.used = mark;
    }
    for (int i = 0; i < N; i++)
        if (sizes[i] > 0) sk_assert(pieces[i][0] == i && pieces[i][sizes[i] - 1] == i);
    return 0;
}
