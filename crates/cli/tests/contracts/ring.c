//! push: true
//! pop: true
//! push_late: false(assert) push_late.contract.ensures.5
//! pop_writes: false(assert) pop_writes.contract.assigns.2
//! twice: true
//! thrice: false(assert) push.call.requires.3
//! alias: false(assert) move.call.requires.3
// A ring buffer: a structure with an invariant, and functions that keep it.
#include <selkie.h>

struct ring {
    unsigned head, count, size;
    int data[4];
};

sk_type_invariant(struct ring, r, r->size > 0 && r->size <= 4 && r->head < r->size && r->count <= r->size);

int push(struct ring *r, int x)
    sk_requires(sk_writable(r))
    sk_requires(r->count < r->size)
    sk_assigns(r->count, r->data)
    sk_ensures(r->count == sk_old(r->count) + 1)
    sk_ensures(r->data[(r->head + sk_old(r->count)) % r->size] == x)
    sk_ensures(sk_result == 1)
{
    r->data[(r->head + r->count++) % r->size] = x;
    return 1;
}

int pop(struct ring *r)
    sk_requires(sk_writable(r) && r->count > 0)
    sk_assigns(r->count, r->head)
    sk_ensures(sk_result == sk_old(r->data[r->head]))
    sk_ensures(r->count == sk_old(r->count) - 1)
{
    int x = r->data[r->head];
    r->head = (r->head + 1) % r->size;
    r->count--;
    return x;
}

int push_late(struct ring *r, int x)
    sk_requires(sk_writable(r))
    sk_assigns(r->count, r->data)
    sk_ensures(r->data[(r->head + sk_old(r->count)) % r->size] == x)
    sk_ensures(r->count == sk_old(r->count) + 1)
    sk_ensures(sk_result == 1)
{
    unsigned at = (r->head + r->count) % r->size;
    r->count++;
    r->data[at] = x;
    return 1;
}

int pop_writes(struct ring *r)
    sk_requires(sk_writable(r) && r->count > 0)
    sk_assigns(r->count, r->head)
{
    static int last;
    last = r->data[r->head];
    r->head = (r->head + 1) % r->size;
    r->count--;
    return last;
}

int twice(int x)
{
    struct ring r = { 3, 0, 4 };
    push(&r, x);
    push(&r, 7);
    sk_assert(r.count == 2);
    return pop(&r);
}

int thrice(int x)
{
    struct ring r = { 0, 0, 2 };
    push(&r, x);
    push(&r, x);
    return push(&r, x);
}

void move(struct ring *to, struct ring *from)
    sk_requires(sk_writable(to) && sk_writable(from) && from->count > 0 && to->count < to->size)
    sk_assigns(*to, *from)
{
    push(to, pop(from));
}

void alias(void)
{
    struct ring r = { 0, 1, 2 };
    move(&r, &r);
}
