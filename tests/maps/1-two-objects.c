// One cell, two functions, objects that are made between the calls.
#include <selkie.h>
#include <stdlib.h>

struct s {
    int x;
};

void clear(struct s *s, unsigned n) {
    if (n)
        clear(s, n - 1);
    else
        s->x = 0;
}

int get(struct s *s, unsigned n) { return n ? get(s, n - 1) : s->x; }

int main(void) {
    struct s *p = malloc(sizeof *p);
    p->x = 10;
    clear(p, sk_nondet_uint());
    struct s *q = malloc(sizeof *q);
    q->x = 20;
    clear(p, sk_nondet_uint());
    sk_assert(get(q, sk_nondet_uint()) == 20);
    sk_assert(get(p, sk_nondet_uint()) == 0);
}
