/* memory_find.c: looking for a byte in a range. Bytes behind the first match are not read, as the
 * standard says of memchr. */
#include <selkie/model.h>

MODEL void *memchr(const void *p, int c, size_t n) {
    const char *s = p;
    for (size_t i = 0; i < n; i++)
        if (s[i] == (char)c)
            return (char *)s + i;
    return NULL;
}

MODEL void *memrchr(const void *p, int c, size_t n) {
    const char *s = p;
    while (n-- > 0)
        if (s[n] == (char)c)
            return (char *)s + n;
    return NULL;
}
