// A ring buffer whose functions have contracts.
#include <selkie.h>

struct ring {
    unsigned head, count, size;
    int data[4];
};

sk_type_invariant(struct ring, r,
    r->size > 0 && r->size <= 4 && r->head < r->size && r->count <= r->size);

void push(struct ring *r, int x)
    sk_requires(sk_writable(r) && r->count < r->size)
    sk_assigns(r->count, r->data)
    sk_ensures(r->count == sk_old(r->count) + 1)
    sk_ensures(r->data[(r->head + r->count - 1) % r->size] == x)
{
    r->data[(r->head + r->count) % r->size] = x;
    r->count++;
}

int pop(struct ring *r)
    sk_requires(sk_writable(r) && r->count > 0)
    sk_assigns(r->head, r->count)
    sk_ensures(sk_result == sk_old(r->data[r->head]))
    sk_ensures(r->count == sk_old(r->count) - 1)
{
    int x = r->data[r->head];
    r->head = (r->head + 1) % r->size;
    r->count--;
    return x;
}

int rotate(struct ring *r)
    sk_requires(sk_writable(r) && r->count > 0)
    sk_assigns(*r)
    sk_ensures(r->count == sk_old(r->count))
{
    int x = pop(r);
    push(r, x);
    return x;
}
