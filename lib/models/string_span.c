/* string_span.c: prefixes and tokens made of the bytes of a set. */
#include "text.h"

static size_t string_span_of(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && text_has(set, s[n]))
        n++;
    return n;
}

static size_t string_span_not_of(const char *s, const char *set) {
    size_t n = 0;
    while (s[n] && !text_has(set, s[n]))
        n++;
    return n;
}

static char *string_span_token(char *s, const char *set, char **rest) {
    if (!s)
        s = *rest;
    s += string_span_of(s, set);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + string_span_not_of(s, set);
    if (*end)
        *end++ = 0;
    *rest = end;
    return s;
}

MODEL size_t strspn(const char *s, const char *set) {
    return string_span_of(s, set);
}

MODEL size_t strcspn(const char *s, const char *set) {
    return string_span_not_of(s, set);
}

MODEL char *strpbrk(const char *s, const char *set) {
    s += string_span_not_of(s, set);
    return *s ? (char *)s : NULL;
}

MODEL char *strtok_r(char *s, const char *set, char **rest) {
    return string_span_token(s, set, rest);
}

MODEL char *__strtok_r(char *s, const char *set, char **rest) {
    return string_span_token(s, set, rest);
}

MODEL char *strtok(char *s, const char *set) {
    static char *rest__shared;
    return string_span_token(s, set, &rest__shared);
}

MODEL char *strsep(char **rest, const char *set) {
    char *s = *rest;
    if (!s)
        return NULL;
    char *end = s + string_span_not_of(s, set);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return s;
}
