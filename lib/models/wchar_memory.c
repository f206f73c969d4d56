/* wchar_memory.c: ranges of wide characters. */
#include "wide.h"

static void wchar_memory_copy(wchar_t *to, const wchar_t *from, size_t n) {
    check_read(from, wide_bytes(n), "wmemcpy: the source is readable");
    check_write(to, wide_bytes(n), "wmemcpy: the destination is writable");
    __selkie_memcpy(to, from, wide_bytes(n));
}

MODEL wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
    __selkie_check(__selkie_is_disjoint(to, from, wide_bytes(n)), "overlap", "wmemcpy between overlapping ranges");
    wchar_memory_copy(to, from, n);
    return to;
}

MODEL wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) {
    __selkie_check(__selkie_is_disjoint(to, from, wide_bytes(n)), "overlap", "wmempcpy between overlapping ranges");
    wchar_memory_copy(to, from, n);
    return to + n;
}

MODEL wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
    wchar_memory_copy(to, from, n);
    return to;
}

MODEL wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

MODEL int wmemcmp(const wchar_t *left, const wchar_t *right, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

MODEL wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return NULL;
}
