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
    for (size_t i = 0; i < n; i++) {
        target[i] = source[i];
        if (source[i] == (char)c)
            return target + i + 1;
    }
    return NULL;
}

MODEL void swab(const void *from, void *to, ssize_t n) {
    const char *source = from;
    char *target = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char c = source[i];
        target[i] = source[i + 1];
        target[i + 1] = c;
    }
}
