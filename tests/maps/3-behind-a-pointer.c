// A cell behind a pointer in a cell.
#include <selkie.h>
#include <stdlib.h>

struct v {
    int value;
};

struct box {
    int id;
    struct v *v;
};

void put(struct box *b, int value, unsigned n) {
    if (n)
        put(b, value, n - 1);
    else
        b->v->value = value;
}

int get(struct box *b, unsigned n) { return n ? get(b, n - 1) : b->v->value; }

int main(void) {
    struct box p, q;
    p.id = 1;
    p.v = malloc(sizeof *p.v);
    put(&p, 7, sk_nondet_uint());
    q.id = 2;
    q.v = malloc(sizeof *q.v);
    put(&q, 8, sk_nondet_uint());
    sk_assert(get(&p, sk_nondet_uint()) == 7 && get(&q, sk_nondet_uint()) == 8);
    q.v = p.v;
    put(&q, 9, sk_nondet_uint());
    sk_assert(get(&p, sk_nondet_uint()) == 9 && p.id == 1 && q.id == 2);
}
