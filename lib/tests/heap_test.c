/* heap_test.c: allocation, the environment, and the end of the program. */
#define _GNU_SOURCE
#include "native.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>

MODEL_OF(realloc);
MODEL_OF(reallocarray);
void *model_reallocf(void *, size_t);
MODEL_OF(aligned_alloc);
MODEL_OF(memalign);
MODEL_OF(posix_memalign);
MODEL_OF(valloc);
MODEL_OF(malloc_usable_size);
void model_cfree(void *);
MODEL_OF(getenv);
MODEL_OF(secure_getenv);
MODEL_OF(setenv);
MODEL_OF(unsetenv);
MODEL_OF(putenv);
MODEL_OF(atexit);
MODEL_OF(at_quick_exit);
MODEL_OF(on_exit);
MODEL_OF(exit);
MODEL_OF(quick_exit);
MODEL_OF(_Exit);
void model__exit(int);
int model___cxa_atexit(void (*)(void *), void *, void *);
void *__selkie_alloc(size_t);
_Bool __selkie_is_freeable(const void *);

#define FAILS(check, call) \
    EXPECT(ATTEMPT(call) == CHECK_FAILED && !strcmp(native_check, check), "%s does not violate %s", #call, check)

static void moving(void) {
    unsigned old_size = random_below(100), new_size = 1 + random_below(100);
    int live = native_live();
    unsigned char *p = __selkie_alloc(old_size), copy[100], *q = NULL;
    random_bytes((char *)p, old_size, "abcdefgh");
    memcpy(copy, p, old_size);
    switch (random_below(3)) {
    case 0: EXPECT(ATTEMPT(q = model_realloc(p, new_size)) == RETURNED, "realloc"); break;
    case 1: EXPECT(ATTEMPT(q = model_reallocarray(p, new_size, 1)) == RETURNED, "reallocarray"); break;
    case 2: EXPECT(ATTEMPT(q = model_reallocf(p, new_size)) == RETURNED, "reallocf"); break;
    }
    EXPECT(model_malloc_usable_size(q) == new_size, "realloc: size");
    EXPECT(memcmp(copy, q, old_size < new_size ? old_size : new_size) == 0, "realloc: contents");
    EXPECT(native_live() == live + 1, "realloc: one object");
    FAILS("free", model_realloc(q + 1, 10));
    EXPECT(ATTEMPT(p = model_realloc(q, 0)) == RETURNED && !p && native_live() == live, "realloc to nothing");
    EXPECT(ATTEMPT(p = model_realloc(NULL, 7)) == RETURNED && native_live() == live + 1, "realloc of null");
    EXPECT(model_reallocarray(p, SIZE_MAX / 2, 3) == NULL && native_live() == live + 1, "reallocarray too large");
    EXPECT(ATTEMPT(model_cfree(p)) == RETURNED && native_live() == live, "cfree");
    EXPECT(model_malloc_usable_size(NULL) == 0, "size of nothing");
}

static void aligned(void) {
    size_t align = (size_t)1 << random_below(17), n = random_below(100);
    char *p = NULL;
    EXPECT(ATTEMPT(p = model_aligned_alloc(align, n)) == RETURNED && (size_t)p % align == 0, "aligned_alloc");
    model_cfree(p);
    EXPECT(ATTEMPT(p = model_memalign(align, n)) == RETURNED && (size_t)p % align == 0, "memalign");
    model_cfree(p);
    int result = -1;
    EXPECT(ATTEMPT(result = model_posix_memalign((void **)&p, align, n)) == RETURNED, "posix_memalign");
    EXPECT(align % sizeof(void *) ? result == EINVAL : result == 0 && (size_t)p % align == 0, "posix_memalign");
    if (result == 0)
        model_cfree(p);
    EXPECT(ATTEMPT(p = model_valloc(n)) == RETURNED && (size_t)p % 4096 == 0, "valloc");
    model_cfree(p);
    EXPECT(model_aligned_alloc(3, n) == NULL, "aligned_alloc with a bad alignment");
    FAILS("unsupported", model_aligned_alloc(1 << 20, 1));
}

static void environment(void) {
    char *first = NULL, *second = NULL;
    while (ATTEMPT(first = model_getenv("HOME")) != RETURNED)
        continue;
    EXPECT(ATTEMPT(second = model_getenv("HOME")) == RETURNED && first == second, "a variable keeps its value");
    EXPECT(!first || (strlen(first) < 100000 && !__selkie_is_freeable(first)), "an environment string is no heap object");
    EXPECT(ATTEMPT(model_setenv("A", "1", 1)) == RETURNED && !strcmp(model_getenv("A"), "1"), "setenv");
    EXPECT(ATTEMPT(model_setenv("A", "2", 0)) == RETURNED && !strcmp(model_getenv("A"), "1"), "setenv keeps");
    EXPECT(ATTEMPT(model_setenv("A", "2", 1)) == RETURNED && !strcmp(model_getenv("A"), "2"), "setenv replaces");
    EXPECT(ATTEMPT(model_unsetenv("A")) == RETURNED && !model_getenv("A"), "unsetenv");
    EXPECT(model_setenv("A=B", "", 1) == -1 && model_setenv("", "", 1) == -1 && model_unsetenv("=") == -1, "bad names");
    static char string[] = "B=xyz";
    EXPECT(ATTEMPT(model_putenv(string)) == RETURNED && model_getenv("B") == string + 2, "putenv");
    string[2] = 'X';
    EXPECT(!strcmp(model_getenv("B"), "Xyz"), "putenv shares its string");
    for (int i = 0; i < 10; i++) {
        char *value = model_secure_getenv("B");
        EXPECT(!value || value == string + 2, "secure_getenv");
    }
}

static char trace[8];
static void note(char c) { trace[strlen(trace)] = c; }
static void first(void) { note('a'); }
static void with_argument(void *argument) { note(*(char *)argument); }
static void with_status(int status, void *argument) { note((char)('0' + status + (argument == NULL))); }

static void endings(void) {
    EXPECT(ATTEMPT(model_exit(0)) == HALTED && !strcmp(trace, ""), "exit without handlers");
    EXPECT(model_atexit(first) == 0 && model_on_exit(with_status, NULL) == 0, "atexit");
    EXPECT(model___cxa_atexit(with_argument, "c", NULL) == 0, "__cxa_atexit");
    EXPECT(model_at_quick_exit(first) == 0, "at_quick_exit");
    EXPECT(ATTEMPT(model__exit(1)) == HALTED && ATTEMPT(model__Exit(1)) == HALTED && !trace[0], "no handlers");
    EXPECT(ATTEMPT(model_exit(3)) == HALTED && !strcmp(trace, "c4a"), "exit runs handlers: %s", trace);
    EXPECT(ATTEMPT(model_quick_exit(3)) == HALTED && !strcmp(trace, "c4aa"), "quick_exit runs handlers: %s", trace);
}

int main(void) {
    for (int i = 0; i < 1000; i++) {
        moving();
        aligned();
    }
    environment();
    endings();
    static const char *const names[] = {"realloc",  "reallocarray", "reallocf",     "aligned_alloc", "memalign",   "posix_memalign",
                                        "valloc",   "cfree",        "malloc_usable_size", "getenv",   "secure_getenv", "setenv",
                                        "unsetenv", "putenv",       "atexit",       "at_quick_exit", "on_exit",    "exit",
                                        "quick_exit", "_exit",      "_Exit",        "__cxa_atexit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
}
