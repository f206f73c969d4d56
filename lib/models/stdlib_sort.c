/* stdlib_sort.c: qsort. Neighbours in the wrong order change places: which elements are compared depends
 * on their number alone, so that only the exchanges are symbolic. */
#include <selkie/model.h>

/* The size of the array; one that no object has if there is none. */
static size_t stdlib_sort_bytes(size_t count, size_t size) {
    size_t n;
    return __builtin_mul_overflow(count, size, &n) ? (size_t)-1 : n;
}

/* Exchanges `size` bytes through a buffer, in pieces. */
static void stdlib_sort_swap(char *left, char *right, size_t size) {
    char piece[64];
    for (size_t done = 0; done < size; done += sizeof piece) {
        size_t n = size - done < sizeof piece ? size - done : sizeof piece;
        __selkie_memcpy(piece, left + done, n);
        __selkie_memcpy(left + done, right + done, n);
        __selkie_memcpy(right + done, piece, n);
    }
}

MODEL void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    __selkie_note("qsort leaves equal elements in their order; the standard does not promise it");
    char *p = base;
    if (count == 0 || size == 0)
        return;
    check_write(p, stdlib_sort_bytes(count, size), "qsort: the elements are writable");
    for (size_t last = count - 1; last > 0; last--)
        for (size_t i = 0; i < last; i++) {
            char *left = p + i * size, *right = left + size;
            if (compare(left, right) > 0)
                stdlib_sort_swap(left, right, size);
        }
}

MODEL void qsort_r(void *base, size_t count, size_t size,
                   int (*compare)(const void *, const void *, void *), void *context) {
    __selkie_note("qsort_r leaves equal elements in their order; the standard does not promise it");
    char *p = base;
    if (count == 0 || size == 0)
        return;
    check_write(p, stdlib_sort_bytes(count, size), "qsort_r: the elements are writable");
    for (size_t last = count - 1; last > 0; last--)
        for (size_t i = 0; i < last; i++) {
            char *left = p + i * size, *right = left + size;
            if (compare(left, right, context) > 0)
                stdlib_sort_swap(left, right, size);
        }
}
