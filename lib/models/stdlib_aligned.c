/* stdlib_aligned.c: allocation with a given alignment. */
#include "text.h"

/* Alignments are constants in the IR; the ones that occur have a case each. */
static void *stdlib_aligned_new(size_t align, size_t n) {
    switch (align) {
    case 1: case 2: case 4: case 8: case 16: return __selkie_alloc(n);
    case 32: return __selkie_alloc_aligned(n, 32);
    case 64: return __selkie_alloc_aligned(n, 64);
    case 128: return __selkie_alloc_aligned(n, 128);
    case 256: return __selkie_alloc_aligned(n, 256);
    case 512: return __selkie_alloc_aligned(n, 512);
    case 1024: return __selkie_alloc_aligned(n, 1024);
    case 2048: return __selkie_alloc_aligned(n, 2048);
    case 4096: return __selkie_alloc_aligned(n, 4096);
    case 8192: return __selkie_alloc_aligned(n, 8192);
    case 16384: return __selkie_alloc_aligned(n, 16384);
    case 32768: return __selkie_alloc_aligned(n, 32768);
    case 65536: return __selkie_alloc_aligned(n, 65536);
    }
    __selkie_unsupported("alignment above 65536");
    return NULL;
}

static _Bool stdlib_aligned_power(size_t align) {
    return align != 0 && (align & (align - 1)) == 0;
}

MODEL void *aligned_alloc(size_t align, size_t n) {
    if (!stdlib_aligned_power(align)) {
        errno = EINVAL;
        return NULL;
    }
    if (__selkie_malloc_fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return stdlib_aligned_new(align, n);
}

/* Rounds the alignment up, as glibc does. */
MODEL void *memalign(size_t align, size_t n) {
    size_t power = 16;
    while (power < align && power != 0)
        power <<= 1;
    if (power == 0) {
        errno = EINVAL;
        return NULL;
    }
    if (__selkie_malloc_fails()) {
        errno = ENOMEM;
        return NULL;
    }
    return stdlib_aligned_new(power, n);
}

MODEL int posix_memalign(void **result, size_t align, size_t n) {
    if (!stdlib_aligned_power(align) || align % sizeof(void *) != 0)
        return EINVAL;
    if (__selkie_malloc_fails())
        return ENOMEM;
    *result = stdlib_aligned_new(align, n);
    return 0;
}

MODEL void *valloc(size_t n) {
    return __selkie_malloc_fails() ? NULL : __selkie_alloc_aligned(n, 4096);
}

MODEL void cfree(void *p) {
    __selkie_free(p);
}

/* At least what was asked for; exactly that here, so that more is never used. */
MODEL size_t malloc_usable_size(void *p) {
    __selkie_check(__selkie_is_freeable(p), "free", "malloc_usable_size of a pointer that free accepts");
    return p ? __selkie_object_size(p) : 0;
}
