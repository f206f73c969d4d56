// Removes every node with an odd key from a list.
#include <stdlib.h>
#include <svcomp.h>

struct node {
    int key;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    for (struct node **at = &list; *at != NULL;) {
        struct node *n = *at;
        if (n->key % 2 != 0) {
            free(n);
            *at = n->next;  // The bug: reads what has just been freed.
        } else {
            at = &n->next;
        }
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
