/* string_find.c: looking for a byte in a string. */
#include "text.h"

static char *string_find_first(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

static char *string_find_last(const char *s, int c) {
    char *found = NULL;
    for (;; s++) {
        if (*s == (char)c)
            found = (char *)s;
        if (!*s)
            return found;
    }
}

MODEL char *strchr(const char *s, int c) {
    return string_find_first(s, c);
}

MODEL char *index(const char *s, int c) {
    return string_find_first(s, c);
}

MODEL char *strrchr(const char *s, int c) {
    return string_find_last(s, c);
}

MODEL char *rindex(const char *s, int c) {
    return string_find_last(s, c);
}

MODEL char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

MODEL void *rawmemchr(const void *p, int c) {
    const char *s = p;
    while (*s != (char)c)
        s++;
    return (char *)s;
}
