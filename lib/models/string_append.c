/* string_append.c: strcat and its relatives. */
#include "text.h"

/* Yields the new length. */
static size_t string_append_up_to(char *to, const char *from, size_t n) {
    size_t start = text_length(to);
    char *end = to + start;
    size_t i = 0;
    while (i < n && from[i]) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    __selkie_check(__selkie_is_disjoint(end, from, i), "overlap", "string appended to itself");
    return start + i;
}

MODEL char *strcat(char *to, const char *from) {
    text_copy(to + text_length(to), from);
    return to;
}

MODEL char *strncat(char *to, const char *from, size_t n) {
    string_append_up_to(to, from, n);
    return to;
}

MODEL size_t strlcat(char *to, const char *from, size_t n) {
    size_t start = text_length_up_to(to, n);
    size_t i = 0;
    for (; from[i]; i++)
        if (start + i + 1 < n)
            to[start + i] = from[i];
    if (start < n) {
        size_t end = start + i < n ? start + i : n - 1;
        to[end] = 0;
        __selkie_check(__selkie_is_disjoint(to + start, from, end - start), "overlap", "string appended to itself");
    }
    return start + i;
}

/* The variants that get the destination's size from the compiler; see string_copy.c. */
#define string_append_fits(length, size) \
    __selkie_check((length) < (size), "deref", "no more bytes than the destination has")

MODEL char *__strcat_chk(char *to, const char *from, size_t size) {
    size_t start = text_length(to);
    string_append_fits(start + text_copy(to + start, from), size);
    return to;
}

MODEL char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
    string_append_fits(string_append_up_to(to, from, n), size);
    return to;
}
