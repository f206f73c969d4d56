/* wchar_string.c: strings of wide characters. */
#include "text.h"
#include "wide.h"

MODEL size_t wcslen(const wchar_t *s) { return wide_length(s); }
MODEL size_t wcsnlen(const wchar_t *s, size_t limit) { return wide_length_up_to(s, limit); }

MODEL wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    wide_copy(to, from);
    return to;
}

MODEL wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    if (i < n) {
        check_write(to + i, wide_bytes(n - i), "wcsncpy pads inside the destination");
        __selkie_memset(to + i, 0, wide_bytes(n - i));
    }
    __selkie_check(__selkie_is_disjoint(to, from, i * sizeof(wchar_t)), "overlap", "string copied onto itself");
    return to;
}

MODEL wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
    wide_copy(to + wide_length(to), from);
    return to;
}

MODEL wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
    wchar_t *end = to + wide_length(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    __selkie_check(__selkie_is_disjoint(end, from, i * sizeof(wchar_t)), "overlap", "string appended to itself");
    return to;
}

MODEL int wcscmp(const wchar_t *left, const wchar_t *right) {
    size_t i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return left[i] < right[i] ? -1 : left[i] > right[i];
}

MODEL int wcsncmp(const wchar_t *left, const wchar_t *right, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!left[i] || left[i] != right[i])
            return left[i] < right[i] ? -1 : left[i] > right[i];
    return 0;
}

MODEL wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    for (;; s++) {
        if (*s == c)
            return (wchar_t *)s;
        if (!*s)
            return NULL;
    }
}

MODEL wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    wchar_t *found = NULL;
    for (;; s++) {
        if (*s == c)
            found = (wchar_t *)s;
        if (!*s)
            return found;
    }
}

MODEL wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && s[i] == part[i])
            i++;
        if (!part[i])
            return (wchar_t *)s;
        if (!s[i])
            return NULL;
    }
}

MODEL wchar_t *wcsdup(const wchar_t *s) {
    size_t n = wide_length(s) + 1;
    wchar_t *copy = heap_new(n * sizeof(wchar_t));
    if (copy)
        __selkie_memcpy(copy, s, n * sizeof(wchar_t));
    return copy;
}
