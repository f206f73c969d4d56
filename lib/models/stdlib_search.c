/* stdlib_search.c: searching arrays. */
#include <selkie/model.h>

typedef int (*stdlib_search_compare)(const void *, const void *);

/* Halves the range as glibc does; which of several equal elements is found is left open. */
MODEL void *bsearch(const void *key, const void *base, size_t count, size_t size,
                    stdlib_search_compare compare) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *p = (const char *)base + middle * size;
        int order = compare(key, p);
        if (order == 0)
            return (void *)p;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

MODEL void *lfind(const void *key, const void *base, size_t *count, size_t size,
                  stdlib_search_compare compare) {
    for (size_t i = 0; i < *count; i++) {
        const char *p = (const char *)base + i * size;
        if (compare(key, p) == 0)
            return (void *)p;
    }
    return NULL;
}

MODEL void *lsearch(const void *key, void *base, size_t *count, size_t size,
                    stdlib_search_compare compare) {
    char *p = base;
    size_t i = 0;
    for (; i < *count; i++, p += size)
        if (compare(key, p) == 0)
            return p;
    check_read(key, size, "lsearch: the key is readable");
    check_write(p, size, "lsearch: there is room for one more element");
    __selkie_memcpy(p, key, size);
    *count = i + 1;
    return p;
}
