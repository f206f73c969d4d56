// An object with a count of its owners.
#include <stdlib.h>
#include <svcomp.h>

struct shared {
    int owners, value;
};

static struct shared *take(struct shared *s) {
    s->owners++;
    return s;
}

static void release(struct shared *s) {
    if (--s->owners == 0) free(s);
}

int main(void) {
    struct shared *a = malloc(sizeof *a);
    if (!a) return 1;
    a->owners = 1;
    a->value = 5;
    struct shared *b = a;  // The bug: a second owner that is not counted.
    release(a);
    int value = b->value;
    release(b);
    return value;
}
