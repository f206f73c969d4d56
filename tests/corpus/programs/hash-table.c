// A table of names with chains.
#include <stdlib.h>
#include <string.h>
#include <svcomp.h>

#define SLOTS 3

struct entry {
    struct entry *next;
    int value;
    char name[4];
};

static struct entry *slots[SLOTS];

static unsigned hash(const char *name) {
    unsigned h = 0;
    while (*name) h = 31 * h + (unsigned char)*name++;
    return h % SLOTS;
}

static struct entry *find(const char *name) {
    for (struct entry *e = slots[hash(name)]; e; e = e->next)
        if (strcmp(e->name, name) == 0) return e;
    return NULL;
}

static void put(const char *name, int value) {
    struct entry *e = find(name);
    if (!e) {
        e = malloc(sizeof *e);
        if (!e) abort();
        strncpy(e->name, name, sizeof e->name - 1);
        e->name[3] = 0;
        e->next = slots[hash(name)];
        slots[hash(name)] = e;
    }
    e->value = value;
}

static void drop(void) {
    for (int i = 0; i < SLOTS; i++)
        while (slots[i]) {
            struct entry *next = slots[i]->next;
            free(slots[i]);
            slots[i] = next;
        }
}

int main(void) {
    put("a", 1);
    put("d", 2);
    put("b", 3);
    put("a", 4 + __VERIFIER_nondet_bool());
    struct entry *e = find("a");
    if (!e || e->value < 4 || e->value > 5) reach_error();
    if (find("x")) reach_error();
    drop();
    return 0;
}
