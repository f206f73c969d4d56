/* string_append.c: strcat and its relatives. */
#include "text.h"

static void string_append_up_to(char *to, const char *from, size_t n) {
    char *end = to + text_length(to);
    size_t i = 0;
    while (i < n && from[i]) {
        end[i] = from[i];
        i++;
    }
    end[i] = 0;
    __selkie_check(__selkie_is_disjoint(end, from, i), "overlap", "string appended to itself");
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
    if (start < n)
        to[start + i < n ? start + i : n - 1] = 0;
    return start + i;
}

MODEL char *__strcat_chk(char *to, const char *from, size_t size) {
    (void)size;
    text_copy(to + text_length(to), from);
    return to;
}

MODEL char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
    (void)size;
    string_append_up_to(to, from, n);
    return to;
}
