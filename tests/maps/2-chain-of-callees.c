// Three objects, and three functions that call each other on the way.
#include <selkie.h>
#include <stdlib.h>

struct s {
    int x, y;
};

void set(int *p, int v, unsigned n) {
    if (n)
        set(p, v, n - 1);
    else
        *p = v;
}

void both(struct s *s, int v, unsigned n) {
    set(&s->x, v, n);
    set(&s->y, v, n);
}

void deep(struct s *s, int v, unsigned n) {
    if (n)
        deep(s, v, n - 1);
    else
        both(s, v, 5);
}

int main(void) {
    struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->x = a->y = b->x = b->y = 0;
    deep(a, 1, sk_nondet_uint());
    struct s *c = malloc(sizeof *c);
    c->x = c->y = 0;
    deep(b, 3, sk_nondet_uint());
    sk_assert(a->x == 1 && a->y == 1 && b->x == 3 && b->y == 3 && c->x == 0 && c->y == 0);
}
