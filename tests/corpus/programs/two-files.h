// A counter that stops at its limit.
struct counter {
    unsigned value, limit;
};

struct counter counter_make(unsigned limit);
void counter_step(struct counter *c);
unsigned counter_value(const struct counter *c);
