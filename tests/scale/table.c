// A hash table with chains that is filled with N symbolic keys; look-ups, one removal, and a round with its iterator.
#include <selkie.h>
#include <stdlib.h>

#ifndef N
#define N 4
#endif
#define SLOTS 4

struct entry {
    struct entry *next;
    unsigned key;
    int value;
};

struct table {
    struct entry *slots[SLOTS];
    unsigned used;
};

struct iterator {
    struct table *table;
    unsigned slot;
    struct entry *at;
};

static unsigned hash(unsigned key) {
    return (key ^ key >> 4) % SLOTS;
}

static struct entry **find(struct table *t, unsigned key) {
    struct entry **at = &t->slots[hash(key)];
    while (*at && (*at)->key != key) at = &(*at)->next;
    return at;
}

static int put(struct table *t, unsigned key, int value) {
    struct entry **at = find(t, key);
    if (!*at) {
        struct entry *e = malloc(sizeof *e);
        if (!e) return 0;
        e->next = NULL;
        e->key = key;
        *at = e;
        t->used++;
    }
    (*at)->value = value;
    return 1;
}

static int drop(struct table *t, unsigned key) {
    struct entry **at = find(t, key);
    struct entry *e = *at;
    if (!e) return 0;
#ifdef BUG
    *at = NULL;
#else
    *at = e->next;
#endif
    free(e);
    t->used--;
    return 1;
}

static void settle(struct iterator *it) {
    while (!it->at && it->slot + 1 < SLOTS) it->at = it->table->slots[++it->slot];
}

static void begin(struct iterator *it, struct table *t) {
    it->table = t;
    it->slot = 0;
    it->at = t->slots[0];
    settle(it);
}

static void next(struct iterator *it) {
    it->at = it->at->next;
    settle(it);
}

int main(void) {
    struct table t = {{NULL}, 0};
    unsigned keys[N];
    for (int i = 0; i < N; i++) {
        keys[i] = sk_nondet_uint();
        sk_assume(keys[i] < 16);
        if (!put(&t, keys[i], i)) return 0;
    }
    sk_assert((*find(&t, keys[N - 1]))->value == N - 1);
    unsigned gone = sk_nondet_uint();
    sk_assume(gone < 16);
    int there = drop(&t, gone);
    sk_assert(!*find(&t, gone));
    unsigned seen = 0;
    struct iterator it;
    for (begin(&it, &t); it.at; next(&it)) seen++;
    sk_assert(seen == t.used);
    for (int i = 0; i < SLOTS; i++)
        while (t.slots[i]) {
            struct entry *e = t.slots[i];
            t.slots[i] = e->next;
            free(e);
        }
    return there & 0;
}
