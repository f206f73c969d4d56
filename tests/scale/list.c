// A sorted list of at most N nodes, any of them; one insertion or removal; sorted again, of the right length.
#include <selkie.h>
#include <stdlib.h>

#ifndef N
#define N 4
#endif

struct node {
    int value;
    struct node *next;
};

static int insert(struct node **at, int value) {
    while (*at && (*at)->value < value) at = &(*at)->next;
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    n->value = value;
    n->next = *at;
    *at = n;
    return 1;
}

static int delete(struct node **at, int value) {
#ifdef BUG
    while (*at && (*at)->value <= value) at = &(*at)->next;
#else
    while (*at && (*at)->value < value) at = &(*at)->next;
#endif
    struct node *n = *at;
    if (!n || n->value != value) return 0;
    *at = n->next;
    free(n);
    return 1;
}

static int count(const struct node *n, int value) {
    int c = 0;
    for (; n; n = n->next) c += n->value == value;
    return c;
}

int main(void) {
    struct node *head = NULL, **end = &head;
    int n = sk_nondet_int(), last = sk_nondet_int();
    sk_assume(n >= 0 && n <= N);
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node) return 0;
        node->value = sk_nondet_int();
        sk_assume(node->value >= last);
        last = node->value;
        node->next = NULL;
        *end = node;
        end = &node->next;
    }
    int x = sk_nondet_int(), before = count(head, x), after;
    if (sk_nondet_bool()) {
        int made = insert(&head, x);
        after = count(head, x);
        sk_assert(after == before + made);
    } else {
        int gone = delete(&head, x);
        after = count(head, x);
        sk_assert(gone == (before > 0) && after == before - gone);
    }
    for (struct node *p = head; p && p->next; p = p->next) sk_assert(p->value <= p->next->value);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
