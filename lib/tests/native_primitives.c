/* native_primitives.c: what the primitives of selkie/model.h mean when a model runs natively. */
#define _GNU_SOURCE
#include "native.h"

#include <malloc.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

const char *native_check;
sigjmp_buf native_start;
int native_running;
int native_choice = -1;
const long double *native_real_choice;

static void stop(enum ending ending) {
    if (!native_running) {
        fprintf(stderr, "a model ended outside an attempt: %d\n", ending);
        exit(2);
    }
    siglongjmp(native_start, ending);
}

static void on_fault(int signal) {
    if (!native_running) {
        static const char text[] = "fault outside an attempt\n";
        (void)!write(2, text, sizeof text - 1);
        _exit(3);
    }
    (void)signal;
    siglongjmp(native_start, FAULT);
}

/* ---- Random numbers --------------------------------------------------------------------- */

static uint64_t state = 0x9e3779b97f4a7c15;

unsigned long long random_bits(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

unsigned random_below(unsigned bound) {
    return (unsigned)((random_bits() >> 32) % bound);
}

void random_bytes(char *p, size_t n, const char *alphabet) {
    size_t letters = strlen(alphabet);
    for (size_t i = 0; i < n; i++)
        p[i] = alphabet[random_below((unsigned)letters)];
}

/* ---- Guarded memory --------------------------------------------------------------------- */

#define PLACES 8
#define PLACE_SIZE 16384

void *guarded(int place, size_t n) {
    static char *places[PLACES];
    if (!places[place]) {
        char *p = mmap(NULL, PLACE_SIZE + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) {
            perror("mmap");
            exit(2);
        }
        mprotect(p, 4096, PROT_NONE);
        mprotect(p + 4096 + PLACE_SIZE, 4096, PROT_NONE);
        places[place] = p + 4096;
    }
    return places[place] + PLACE_SIZE - n;
}

__attribute__((constructor)) static void install(void) {
    struct sigaction action = {.sa_handler = on_fault};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

/* ---- Objects ---------------------------------------------------------------------------- */

#define OBJECTS 4096
static struct {
    char *start;
    size_t size;
} objects[OBJECTS];
static int object_count;

int native_live(void) {
    return object_count;
}

static int find(const void *p) {
    for (int i = 0; i < object_count; i++)
        if ((const char *)p >= objects[i].start && (const char *)p <= objects[i].start + objects[i].size)
            return i;
    return -1;
}

static void *make(size_t n, size_t align, int byte) {
    char *p = NULL;
    if (object_count == OBJECTS || posix_memalign((void **)&p, align, n + 1) != 0) {
        fprintf(stderr, "no memory for %zu bytes\n", n);
        exit(2);
    }
    memset(p, byte, n);
    objects[object_count].start = p;
    objects[object_count].size = n;
    object_count++;
    return p;
}

void *__selkie_alloc(size_t n) {
    if (n > 100000)
        stop(ASSUMED_AWAY);
    return make(n, 16, (int)random_below(256));
}

void *__selkie_alloc_zeroed(size_t n) { return make(n, 16, 0); }
void *__selkie_alloc_aligned(size_t n, size_t align) { return make(n, align, 0x5a); }

static int malloc_fails;
_Bool __selkie_malloc_fails(void) { return malloc_fails; }

_Bool __selkie_is_freeable(const void *p) {
    int i = find(p);
    return !p || (i >= 0 && objects[i].start == p);
}

void __selkie_check(_Bool condition, const char *check, const char *text) {
    (void)text;
    if (!condition) {
        native_check = check;
        stop(CHECK_FAILED);
    }
}

void __selkie_free(void *p) {
    __selkie_check(__selkie_is_freeable(p), "free", "free");
    if (!p)
        return;
    int i = find(p);
    objects[i] = objects[--object_count];
    free(p);
}

size_t __selkie_object_size(const void *p) {
    int i = find(p);
    return i < 0 ? 0 : objects[i].size;
}

size_t __selkie_object_offset(const void *p) {
    int i = find(p);
    return i < 0 ? (size_t)p : (size_t)((const char *)p - objects[i].start);
}

void __selkie_memcpy(void *to, const void *from, size_t n) { memmove(to, from, n); }
void __selkie_memset(void *to, int byte, size_t n) { memset(to, byte, n); }
int __selkie_memcmp(const void *left, const void *right, size_t n) { return memcmp(left, right, n); }

void __selkie_havoc(void *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((char *)p)[i] = (char)random_bits();
}

/* Touches the first and the last byte: fit for ranges that end at a guard page. */
static _Bool touch(const void *p, size_t n) {
    if (n == 0)
        return p != NULL;
    if (n > 1 << 20)
        return 0;
    volatile const char *bytes = p;
    int i = find(p);
    if (i >= 0 && bytes + n > objects[i].start + objects[i].size)
        return 0;
    for (size_t k = 0; k < n; k++)
        (void)bytes[k];
    return 1;
}

_Bool __selkie_is_deref_read(const void *p, size_t n) { return touch(p, n); }
_Bool __selkie_is_deref_write(const void *p, size_t n) { return touch(p, n); }
_Bool __selkie_is_alive(const void *p) { return p != NULL; }

_Bool __selkie_is_disjoint(const void *left, const void *right, size_t n) {
    const char *a = left, *b = right;
    return n == 0 || a + n <= b || b + n <= a;
}

/* ---- Endings and choices ---------------------------------------------------------------- */

void __selkie_unsupported(const char *what) {
    (void)what;
    native_check = "unsupported";
    stop(CHECK_FAILED);
}

void __selkie_note(const char *text) { (void)text; }
void __selkie_run_destructors(void) {}
__attribute__((noreturn)) void __selkie_halt_exit(int status) { (void)status, stop(HALTED), abort(); }
__attribute__((noreturn)) void __selkie_halt_abort(void) { stop(HALTED), abort(); }

void sk_assume(_Bool condition) {
    if (!condition)
        stop(ASSUMED_AWAY);
}

/* Small numbers are frequent, so that assumptions about ranges often hold. */
static unsigned long long choose(void) {
    unsigned long long value = random_bits();
    switch (random_below(8)) {
    case 0: return value;
    case 1: return value & 0xffff;
    case 2: return -(value & 0xff);
    case 3: return value & 0x7fffffff;
    }
    return value & (random_below(2) ? 0x7f : 7);
}

#define CHOICE(type, name) \
    type __selkie_nondet_extern_##name(void) { return (type)choose(); }
_Bool __selkie_nondet_extern_bool(void) { return random_below(2); }
CHOICE(unsigned char, uchar)
CHOICE(short, short)
CHOICE(unsigned short, ushort)
char __selkie_nondet_extern_char(void) { return native_choice >= 0 ? 'x' : (char)choose(); }
int __selkie_nondet_extern_int(void) { return native_choice >= 0 ? native_choice : (int)choose(); }
CHOICE(unsigned, uint)
CHOICE(long, long)
CHOICE(unsigned long, ulong)
CHOICE(long long, longlong)
CHOICE(unsigned long long, ulonglong)
CHOICE(size_t, size_t)

static double choose_real(void) {
    switch (random_below(4)) {
    case 0: return (double)(long long)choose();
    case 1: return (double)random_below(1000000) / 1000000;
    case 2: return -(double)random_below(1000000) / 1000000;
    }
    union {
        unsigned long long bits;
        double value;
    } u = {random_bits()};
    return u.value;
}

#define REAL_CHOICE(type, name) \
    type __selkie_nondet_extern_##name(void) { \
        return native_real_choice ? (type)*native_real_choice : (type)choose_real(); \
    }
REAL_CHOICE(float, float)
REAL_CHOICE(double, double)
REAL_CHOICE(long double, longdouble)

/* What is known only roughly is chosen in the same way. */
#define APPROXIMATION(type, name) \
    type __selkie_nondet_approx_##name(void) { return __selkie_nondet_extern_##name(); }
APPROXIMATION(_Bool, bool)
APPROXIMATION(char, char)
APPROXIMATION(int, int)
APPROXIMATION(unsigned, uint)
APPROXIMATION(long, long)
APPROXIMATION(long long, longlong)
APPROXIMATION(float, float)
APPROXIMATION(double, double)
APPROXIMATION(long double, longdouble)
