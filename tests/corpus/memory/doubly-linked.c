// A ring of nodes with links both ways, from which one is taken out.
#include <stdlib.h>
#include <svcomp.h>

struct link {
    struct link *next, *previous;
    int id;
};

static void init(struct link *l, int id) {
    l->next = l->previous = l;
    l->id = id;
}

static void insert_after(struct link *l, struct link *fresh) {
    fresh->next = l->next;
    fresh->previous = l;
    l->next->previous = fresh;
    l->next = fresh;
}

static void take_out(struct link *l) {
    l->previous->next = l->next;
    l->next->previous = l->previous;
    init(l, l->id);
}

int main(void) {
    struct link head, *nodes[3];
    init(&head, -1);
    for (int i = 0; i < 3; i++) {
        nodes[i] = malloc(sizeof(struct link));
        if (!nodes[i]) abort();
        init(nodes[i], i);
        insert_after(&head, nodes[i]);
    }
    unsigned which = __VERIFIER_nondet_uint() % 3;
    take_out(nodes[which]);
    int forth = 0, back = 0;
    for (struct link *l = head.next; l != &head && forth < 9; l = l->next) forth++;
    for (struct link *l = head.previous; l != &head && back < 9; l = l->previous) back++;
    if (forth != 2 || back != 2) reach_error();
    for (int i = 0; i < 3; i++) free(nodes[i]);
    return 0;
}
