// The same ring buffer: `push` does not look whether there is room, and says that it does.
#include <selkie.h>

struct ring {
    unsigned head, count, size;
    int data[4];
};

sk_type_invariant(struct ring, r,
    r->size > 0 && r->size <= 4 && r->head < r->size && r->count <= r->size);

void push(struct ring *r, int x)
    sk_requires(sk_writable(r))
    sk_assigns(r->count, r->data)
{
    r->data[(r->head + r->count) % r->size] = x;
    r->count++;
}
