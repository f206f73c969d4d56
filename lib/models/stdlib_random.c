/* stdlib_random.c: random numbers are any numbers in their range; the same seed gives the same ones again. */
#include <selkie/model.h>

#define STDLIB_RANDOM_MAX 2147483647

/* What the first seeds gave. Further numbers of a seed that comes again, and those of further seeds, are known only roughly. */
#define STDLIB_RANDOM_SEEDS 2
#define STDLIB_RANDOM_KEPT 4

struct stdlib_random {
    unsigned seed;
    _Bool again; /* The program came back to it. */
    int count;   /* How many numbers are kept. */
    int kept[STDLIB_RANDOM_KEPT];
};
static struct stdlib_random stdlib_random_table[STDLIB_RANDOM_SEEDS] = {{.seed = 1}};
/* How many seeds there are; which one was set last, -1 for none of them; and how many numbers came since then. */
static int stdlib_random_seeds = 1, stdlib_random_seed, stdlib_random_at;

/* Somebody else may have asked for numbers since the seed was set. */
static _Bool stdlib_random__shared;

static void stdlib_random_start(unsigned seed) {
    stdlib_random__shared = 0;
    stdlib_random_at = 0;
    /* A program that starts with a seed of its own has asked for no number of seed 1. */
    if (stdlib_random_seeds == 1 && stdlib_random_table[0].count == 0 && !stdlib_random_table[0].again) {
        stdlib_random_table[0].seed = seed;
        stdlib_random_table[0].again = 0;
        return;
    }
    for (int i = 0; i < STDLIB_RANDOM_SEEDS; i++)
        if (i < stdlib_random_seeds && stdlib_random_table[i].seed == seed) {
            stdlib_random_table[i].again = 1;
            stdlib_random_seed = i;
            return;
        }
    stdlib_random_seed = -1;
    if (stdlib_random_seeds < STDLIB_RANDOM_SEEDS) {
        stdlib_random_seed = stdlib_random_seeds++;
        stdlib_random_table[stdlib_random_seed].seed = seed;
    }
}

static int stdlib_random_next(void) {
    int at = stdlib_random_at;
    if (at < STDLIB_RANDOM_KEPT)
        stdlib_random_at++;
    if (stdlib_random_seed < 0 || stdlib_random__shared)
        return rough_int_in(0, STDLIB_RANDOM_MAX);
    struct stdlib_random *now = &stdlib_random_table[stdlib_random_seed];
    if (at < now->count)
        return now->kept[at];
    if (now->again && at >= STDLIB_RANDOM_KEPT)
        return rough_int_in(0, STDLIB_RANDOM_MAX);
    int value = any_int_in(0, STDLIB_RANDOM_MAX);
    if (at < STDLIB_RANDOM_KEPT) {
        now->kept[at] = value;
        now->count = at + 1;
    }
    return value;
}

/* They share their state. */
MODEL int rand(void) { return stdlib_random_next(); }
MODEL long random(void) { return stdlib_random_next(); }
MODEL void srand(unsigned seed) { stdlib_random_start(seed); }
MODEL void srandom(unsigned seed) { stdlib_random_start(seed); }

/* As POSIX has it: 48 bits, multiplied and increased. Before the program sets them, the generator without a state of the program's
 * may begin anywhere, so that each number is any. */
#define STDLIB_RANDOM_MASK 0xffffffffffffULL
static unsigned long long stdlib_random__shared_bits, stdlib_random_factor = 0x5deece66dULL;
static unsigned short stdlib_random_addend = 11;
static _Bool stdlib_random_set;

static unsigned long long stdlib_random_step(unsigned long long bits) {
    return (bits * stdlib_random_factor + stdlib_random_addend) & STDLIB_RANDOM_MASK;
}

static unsigned long long stdlib_random_next48(void) {
    stdlib_random__shared_bits = stdlib_random_set ? stdlib_random_step(stdlib_random__shared_bits) : any_ulonglong() & STDLIB_RANDOM_MASK;
    return stdlib_random__shared_bits;
}

static unsigned long long stdlib_random_join(const unsigned short *state) {
    return state[0] | (unsigned long long)state[1] << 16 | (unsigned long long)state[2] << 32;
}

static void stdlib_random_part(unsigned short *state, unsigned long long bits) {
    for (int i = 0; i < 3; i++)
        state[i] = (unsigned short)(bits >> (16 * i));
}

/* The variants that keep their state, three numbers, where the program says. */
static unsigned long long stdlib_random_state(unsigned short *state) {
    check_write(state, 3 * sizeof *state, "the state of a random number generator is writable");
    unsigned long long bits = stdlib_random_step(stdlib_random_join(state));
    stdlib_random_part(state, bits);
    return bits;
}

MODEL double drand48(void) { return (double)(long long)stdlib_random_next48() * 0x1p-48; }
MODEL long lrand48(void) { return (long)(stdlib_random_next48() >> 17); }
MODEL long mrand48(void) { return (int)(stdlib_random_next48() >> 16); }
MODEL double erand48(unsigned short *state) { return (double)(long long)stdlib_random_state(state) * 0x1p-48; }
MODEL long nrand48(unsigned short *state) { return (long)(stdlib_random_state(state) >> 17); }
MODEL long jrand48(unsigned short *state) { return (int)(stdlib_random_state(state) >> 16); }

static void stdlib_random_begin(unsigned long long bits) {
    stdlib_random__shared_bits = bits;
    stdlib_random_set = 1;
    stdlib_random_factor = 0x5deece66dULL;
    stdlib_random_addend = 11;
}

MODEL void srand48(long seed) { stdlib_random_begin((unsigned long long)(unsigned)seed << 16 | 0x330e); }

/* Yields the state before, in an object of its own. */
MODEL unsigned short *seed48(unsigned short *state) {
    static unsigned short before[3];
    check_read(state, 3 * sizeof *state, "seed48: the state is readable");
    stdlib_random_part(before, stdlib_random_set ? stdlib_random__shared_bits : any_ulonglong());
    stdlib_random_begin(stdlib_random_join(state));
    return before;
}

MODEL void lcong48(unsigned short *parameters) {
    check_read(parameters, 7 * sizeof *parameters, "lcong48: the parameters are readable");
    stdlib_random_begin(stdlib_random_join(parameters));
    stdlib_random_factor = stdlib_random_join(parameters + 3);
    stdlib_random_addend = parameters[6];
}

/* As glibc does it. */
MODEL int rand_r(unsigned *seed) {
    unsigned next = *seed;
    int result = 0;
    for (int i = 0; i < 3; i++) {
        next = next * 1103515245 + 12345;
        result = i == 0 ? (int)(next / 65536 % 2048) : (result << 10) ^ (int)(next / 65536 % 1024);
    }
    *seed = next;
    return result;
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
