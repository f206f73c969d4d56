/* memory.c: ranges of bytes. memcpy, memmove, memset and memcmp themselves, mempcpy and bcmp are
 * operations of the IR. */
#include <selkie/model.h>

MODEL void bzero(void *to, size_t n) {
    check_write(to, n, "bzero: the bytes are writable");
    __selkie_memset(to, 0, n);
}

MODEL void explicit_bzero(void *to, size_t n) {
    check_write(to, n, "explicit_bzero: the bytes are writable");
    __selkie_memset(to, 0, n);
}

MODEL void bcopy(const void *from, void *to, size_t n) {
    check_read(from, n, "bcopy: the source is readable");
    check_write(to, n, "bcopy: the destination is writable");
    __selkie_memcpy(to, from, n);
}

MODEL void *memccpy(void *to, const void *from, int c, size_t n) {
    const char *source = from;
    char *target = to;
    size_t i = 0;
    _Bool found = 0;
    while (i < n && !found) {
        found = source[i] == (char)c;
        target[i] = source[i];
        i++;
    }
    __selkie_check(__selkie_is_disjoint(to, from, i), "overlap", "memccpy between overlapping ranges");
    return found ? target + i : NULL;
}

MODEL void swab(const void *from, void *to, ssize_t n) {
    const char *source = from;
    char *target = to;
    ssize_t i = 0;
    for (; i + 1 < n; i += 2) {
        char c = source[i];
        target[i] = source[i + 1];
        target[i + 1] = c;
    }
    __selkie_check(__selkie_is_disjoint(to, from, i), "overlap", "swab between overlapping ranges");
}
