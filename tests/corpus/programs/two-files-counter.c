// The counter.
#include "two-files.h"

struct counter counter_make(unsigned limit) { return (struct counter){.limit = limit}; }

void counter_step(struct counter *c) {
    if (c->value < c->limit) c->value++;
}

unsigned counter_value(const struct counter *c) { return c->value; }
