/* string_copy.c: copying strings. */
#include "text.h"

/* As strncpy; yields where the terminator went, or the end. */
static char *string_copy_padded(char *to, const char *from, size_t n) {
    size_t i = 0;
    while (i < n && from[i]) {
        to[i] = from[i];
        i++;
    }
    if (i < n) {
        check_write(to + i, n - i, "strncpy pads inside the destination");
        __selkie_memset(to + i, 0, n - i);
    }
    __selkie_check(__selkie_is_disjoint(to, from, i), "overlap", "string copied onto itself");
    return to + i;
}

MODEL char *strcpy(char *to, const char *from) {
    text_copy(to, from);
    return to;
}

MODEL char *stpcpy(char *to, const char *from) {
    return to + text_copy(to, from);
}

MODEL char *__stpcpy(char *to, const char *from) {
    return to + text_copy(to, from);
}

MODEL char *strncpy(char *to, const char *from, size_t n) {
    string_copy_padded(to, from, n);
    return to;
}

MODEL char *stpncpy(char *to, const char *from, size_t n) {
    return string_copy_padded(to, from, n);
}

MODEL char *__stpncpy(char *to, const char *from, size_t n) {
    return string_copy_padded(to, from, n);
}

MODEL size_t strlcpy(char *to, const char *from, size_t n) {
    size_t i = 0;
    for (; from[i]; i++)
        if (i + 1 < n)
            to[i] = from[i];
    if (n > 0) {
        size_t copied = i < n ? i : n - 1;
        to[copied] = 0;
        __selkie_check(__selkie_is_disjoint(to, from, copied), "overlap", "string copied onto itself");
    }
    return i;
}

/* The variants that get the destination's size from the compiler. It may be smaller than the object: that of a
 * member, say. Writing past it aborts in reality and is an obligation here. */
#define string_copy_fits(n, size) __selkie_check((n) <= (size), "deref", "no more bytes than the destination has")

MODEL char *__strcpy_chk(char *to, const char *from, size_t size) {
    string_copy_fits(text_copy(to, from) + 1, size);
    return to;
}

MODEL char *__stpcpy_chk(char *to, const char *from, size_t size) {
    size_t n = text_copy(to, from);
    string_copy_fits(n + 1, size);
    return to + n;
}

MODEL char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
    string_copy_fits(n, size);
    string_copy_padded(to, from, n);
    return to;
}

MODEL char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) {
    string_copy_fits(n, size);
    return string_copy_padded(to, from, n);
}
