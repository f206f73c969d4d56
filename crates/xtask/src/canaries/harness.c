/* Inputs for native runs of programs, and a note of every mark that was passed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned char *marks;
static uint64_t state;
static long mode;

__attribute__((constructor(101))) static void prepare(void) {
    int file = open(getenv("CANARY_MARKS"), O_RDWR);
    marks = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    mode = atol(getenv("CANARY_MODE"));
    state = (uint64_t)mode * 0x9e3779b97f4a7c15u;
    alarm(4);
}

void canary_mark(int number) { marks[number] = 1; }

/* Mode 0 and 1 give these numbers, the others mostly small ones. */
static uint64_t next(void) {
    if (mode < 2)
        return (uint64_t)mode;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    switch (mode % 3) {
    case 0: return state >> 33 & 7;
    case 1: return (state >> 20 & 3) == 0 ? state >> 8 : (uint64_t)((int64_t)(state >> 33 & 15) - 4);
    default: return state >> 33 & 127;
    }
}

#define WEAK __attribute__((weak))
#define GIVE(type, name) \
    WEAK type sk_nondet_##name(void) { return (type)next(); } \
    WEAK type nondet_##name(void) { return (type)next(); } \
    WEAK type nd_##name(void) { return (type)next(); } \
    WEAK type __VERIFIER_nondet_##name(void) { return (type)next(); }
GIVE(char, char)
GIVE(signed char, schar)
GIVE(unsigned char, uchar)
GIVE(short, short)
GIVE(unsigned short, ushort)
GIVE(int, int)
GIVE(unsigned, uint)
GIVE(unsigned, unsigned)
GIVE(long, long)
GIVE(unsigned long, ulong)
GIVE(long long, longlong)
GIVE(unsigned long long, ulonglong)
GIVE(float, float)
GIVE(double, double)
GIVE(int8_t, int8_t)
GIVE(uint8_t, uint8_t)
GIVE(int16_t, int16_t)
GIVE(uint16_t, uint16_t)
GIVE(int32_t, int32_t)
GIVE(uint32_t, uint32_t)
GIVE(int64_t, int64_t)
GIVE(uint64_t, uint64_t)
GIVE(size_t, size_t)
GIVE(uint8_t, u8)
GIVE(uint16_t, u16)
GIVE(uint32_t, u32)
GIVE(uint64_t, u64)
WEAK _Bool sk_nondet_bool(void) { return next() & 1; }
WEAK _Bool nondet_bool(void) { return next() & 1; }
WEAK _Bool nd_bool(void) { return next() & 1; }
WEAK _Bool __VERIFIER_nondet_bool(void) { return next() & 1; }

/* What does not hold ends the run: the marks before it were passed. */
#define DEMAND(name, type) \
    WEAK void name(type condition) { if (!condition) _exit(0); }
DEMAND(sk_assume, _Bool)
DEMAND(sk_assert, _Bool)
DEMAND(assume, _Bool)
DEMAND(sassert, _Bool)
DEMAND(__VERIFIER_assume, int)
DEMAND(__VERIFIER_assert, int)
DEMAND(__CPROVER_assume, _Bool)
DEMAND(__SEA_assume, _Bool)
WEAK void __CPROVER_assert(_Bool condition, const char *text) { if (!condition) _exit(0); }
WEAK void reach_error(void) { _exit(0); }
WEAK void __VERIFIER_error(void) { _exit(0); }
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}
