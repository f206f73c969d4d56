/* stdlib_random.c: random numbers are any numbers in their range; seeds have no effect. */
#include <selkie/model.h>

#define STDLIB_RANDOM_MAX 2147483647

static double stdlib_random_unit(void) {
    double value = any_double();
    sk_assume(value >= 0 && value < 1);
    return value;
}

MODEL int rand(void) { return any_int_in(0, STDLIB_RANDOM_MAX); }
MODEL long random(void) { return any_int_in(0, STDLIB_RANDOM_MAX); }
MODEL long lrand48(void) { return any_int_in(0, STDLIB_RANDOM_MAX); }
MODEL long mrand48(void) { return any_int(); }
MODEL double drand48(void) { return stdlib_random_unit(); }

/* The variants that keep their state, three numbers, where the program says. */
static void stdlib_random_state(unsigned short *state) {
    check_write(state, 3 * sizeof *state, "the state of a random number generator is writable");
    __selkie_havoc(state, 3 * sizeof *state);
}

MODEL double erand48(unsigned short *state) {
    stdlib_random_state(state);
    return stdlib_random_unit();
}

MODEL long nrand48(unsigned short *state) {
    stdlib_random_state(state);
    return any_int_in(0, STDLIB_RANDOM_MAX);
}

MODEL long jrand48(unsigned short *state) {
    stdlib_random_state(state);
    return any_int();
}

/* Yields the state before, in an object of its own. */
MODEL unsigned short *seed48(unsigned short *state) {
    static unsigned short before[3];
    check_read(state, 3 * sizeof *state, "seed48: the state is readable");
    __selkie_havoc(before, sizeof before);
    return before;
}

MODEL void lcong48(unsigned short *parameters) {
    check_read(parameters, 7 * sizeof *parameters, "lcong48: the parameters are readable");
}

MODEL void srand(unsigned seed) { (void)seed; }
MODEL void srandom(unsigned seed) { (void)seed; }
MODEL void srand48(long seed) { (void)seed; }

MODEL int rand_r(unsigned *seed) {
    *seed = any_uint();
    return any_int_in(0, STDLIB_RANDOM_MAX);
}

MODEL unsigned arc4random(void) { return any_uint(); }

MODEL unsigned arc4random_uniform(unsigned bound) {
    unsigned value = any_uint();
    sk_assume(bound < 2 ? value == 0 : value < bound);
    return value;
}

MODEL void arc4random_buf(void *p, size_t n) {
    check_write(p, n, "arc4random_buf: the bytes are writable");
    __selkie_havoc(p, n);
}

MODEL int getentropy(void *p, size_t n) {
    if (n > 256 || any_bool())
        return -1;
    check_write(p, n, "getentropy: the bytes are writable");
    __selkie_havoc(p, n);
    return 0;
}

MODEL ssize_t getrandom(void *p, size_t n, unsigned flags) {
    (void)flags;
    check_write(p, n, "getrandom: the bytes are writable");
    size_t got = any_size();
    sk_assume(got <= n && (ssize_t)got >= 0);
    if (any_bool())
        return -1;
    __selkie_havoc(p, got);
    return got;
}
