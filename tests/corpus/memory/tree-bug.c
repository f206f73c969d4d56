// A search tree: insertion by a loop, search, and removal by recursion.
#include <stdlib.h>
#include <svcomp.h>

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **at, int key) {
    while (*at) {
        if ((*at)->key == key) return;
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    struct tree *t = malloc(sizeof *t);
    if (!t) abort();
    t->key = key;
    t->left = NULL;
    *at = t;
}

static int contains(const struct tree *t, int key) {
    while (t && t->key != key) t = key < t->key ? t->left : t->right;
    return t != NULL;
}

static void drop(struct tree *t) {
    if (!t) return;
    drop(t->left);
    drop(t->right);
    free(t);
}

int main(void) {
    struct tree *t = NULL;
    int keys[3];
    for (int i = 0; i < 3; i++) {
        keys[i] = __VERIFIER_nondet_uchar();
        insert(&t, keys[i]);
    }
    for (int i = 0; i < 3; i++)
        if (!contains(t, keys[i])) reach_error();
    drop(t);
    return 0;
}
