// Five objects, four functions, three pointers to follow.
#include <selkie.h>
#include <stdlib.h>

struct leaf {
    int v;
};

struct node {
    struct leaf *left, *right;
};

struct tree {
    struct node *root;
};

void swap(struct node *n) {
    struct leaf *t = n->left;
    n->left = n->right;
    n->right = t;
}

void swap_often(struct tree *t, unsigned odd) {
    swap(t->root);
    if (odd) {
        swap(t->root);
        swap_often(t, odd - 1);
    }
}

void set(struct leaf *l, int v) { l->v = v; }

int first(struct tree *t) { return t->root->left->v; }

int main(void) {
    struct tree t;
    struct node a, b;
    struct leaf l, m;
    t.root = &a;
    a.left = &l;
    a.right = &m;
    set(&l, 1);
    set(&m, 2);
    swap_often(&t, sk_nondet_uint());
    sk_assert(first(&t) == 2);
    struct leaf *k = malloc(sizeof *k);
    b.left = b.right = k;
    set(k, 3);
    t.root = &b;
    swap_often(&t, sk_nondet_uint());
    sk_assert(first(&t) == 3 && a.left == &m && l.v == 1);
}
