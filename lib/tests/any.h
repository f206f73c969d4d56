/* any.h: tests of functions whose results come from outside. What they write must stay inside their buffers and
 * have the promised form, whatever the models choose; buffers that are too small must be found. */
#ifndef SELKIE_TESTS_ANY_H
#define SELKIE_TESTS_ANY_H

#include "native.h"

#define RUNS 400

/* Runs a call many times, and the condition after each run that returns; some must. */
#define ALWAYS(name, call, condition) \
    do { \
        int returned = 0; \
        for (int run = 0; run < RUNS; run++) { \
            enum ending ending = ATTEMPT(call); \
            EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "%s ends with %d (%s)", name, ending, native_check); \
            if (ending == RETURNED) { \
                returned++; \
                EXPECT(condition, "%s", name); \
            } \
        } \
        EXPECT(returned > 0, "%s never returns", name); \
        COVERS(name); \
    } while (0)

/* Some run violates a check or faults. */
#define VIOLATES(name, call) \
    do { \
        int violated = 0; \
        for (int run = 0; run < 20 * RUNS && !violated; run++) { \
            enum ending ending = ATTEMPT(call); \
            violated += ending == CHECK_FAILED || ending == FAULT; \
        } \
        EXPECT(violated > 0, "%s violates nothing", name); \
    } while (0)

/* Every run reaches something that is not modelled. */
#define UNSUPPORTED(name, call) \
    do { \
        EXPECT(ATTEMPT(call) == CHECK_FAILED && !strcmp(native_check, "unsupported"), "%s is supported", name); \
        COVERS(name); \
    } while (0)

/* Did the bytes behind the first `n` stay as they were? */
static inline int untouched(const char *p, size_t n, size_t size) {
    for (size_t i = n; i < size; i++)
        if (p[i] != '#')
            return 0;
    return 1;
}

static inline char *buffer(int place, size_t n) { return memset(guarded(place, n), '#', n); }

/* Reads at most ten bytes into `p`, for calls that yield their number. */
#define READS_BYTES(name, call) \
    ALWAYS(name, { p = buffer(0, 16); count = call; }, count >= -1 && count <= 10 && untouched(p, count > 0 ? count : 0, 16)); \
    VIOLATES(name, { p = guarded(0, 9); count = call; })

#endif
