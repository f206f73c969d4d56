// A list on the heap: built, reversed, taken apart.
#include <stdlib.h>
#include <svcomp.h>

struct node {
    int key;
    struct node *next;
};

static struct node *cons(int key, struct node *next) {
    struct node *n = malloc(sizeof *n);
    if (n == NULL) abort();
    n->key = key;
    n->next = next;
    return n;
}

static struct node *reverse(struct node *list) {
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

int main(void) {
    int length = __VERIFIER_nondet_uint() % 5;
    struct node *list = NULL;
    for (int i = 0; i < length; i++) list = cons(i, list);
    list = reverse(list);
    for (int i = 0; list; i++) {
        if (list->key != i) reach_error();
        struct node *next = list->next;
        if (i != 2) free(list);  // The bug: the third stays.
        list = next;
    }
    return 0;
}
