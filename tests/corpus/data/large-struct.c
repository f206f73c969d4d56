// Structures that do not fit into registers, by value, through a pointer to a function.
#include <svcomp.h>

struct block {
    char tag;
    long long words[4];
    short tail;
};

static struct block rotate(struct block b) {
    long long first = b.words[0];
    for (int i = 0; i < 3; i++) b.words[i] = b.words[i + 1];
    b.words[3] = first;
    return b;
}

int main(void) {
    struct block (*step)(struct block) = rotate;
    struct block b = {'a', {__VERIFIER_nondet_longlong(), 1, 2, 3}, 9}, c = b;
    for (int i = 0; i < 4; i++) c = step(c);
    for (int i = 0; i < 4; i++)
        if (b.words[i] != c.words[i]) reach_error();
    if (c.tag != 'a' || c.tail != 9) reach_error();
    return 0;
}
