/* stdlib_realloc.c: realloc. The object always moves; the old one is dead either way. */
#include "text.h"

static void *stdlib_realloc_to(void *old, size_t n) {
    __selkie_note("realloc always yields a new object");
    if (!old)
        return heap_new(n);
    __selkie_check(__selkie_is_freeable(old), "free", "realloc of a pointer that free accepts");
    if (n == 0) {
        /* As glibc; the standard leaves it open. */
        __selkie_free(old);
        return NULL;
    }
    void *new = heap_new(n);
    if (!new) {
        errno = ENOMEM;
        return NULL;
    }
    size_t size = __selkie_object_size(old);
    __selkie_memcpy(new, old, size < n ? size : n);
    __selkie_free(old);
    return new;
}

MODEL void *realloc(void *old, size_t n) {
    return stdlib_realloc_to(old, n);
}

MODEL void *reallocarray(void *old, size_t count, size_t size) {
    size_t n;
    if (__builtin_mul_overflow(count, size, &n)) {
        errno = ENOMEM;
        return NULL;
    }
    return stdlib_realloc_to(old, n);
}

MODEL void *reallocf(void *old, size_t n) {
    void *new = stdlib_realloc_to(old, n);
    if (!new && n != 0)
        __selkie_free(old);
    return new;
}
