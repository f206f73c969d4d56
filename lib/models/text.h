/* text.h: walking over terminated strings, for several models. Models do not call each other's
 * public names: the program may have replaced those. */
#ifndef SELKIE_MODELS_TEXT_H
#define SELKIE_MODELS_TEXT_H

#include <selkie/model.h>

/* Bytes before the terminator. */
static inline __attribute__((unused)) size_t text_length(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

/* Reads the string for the obligations' sake. Nothing to do where check `deref` is off: then the
 * front end may compile models with SELKIE_NO_DEREF. */
static inline __attribute__((unused)) void text_read(const char *s) {
#ifdef SELKIE_NO_DEREF
    (void)s;
#else
    text_length(s);
#endif
}

/* As text_length, reading at most `limit` bytes. */
static inline __attribute__((unused)) size_t text_length_up_to(const char *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

/* Copies with the terminator; yields the number of bytes before it. */
static inline __attribute__((unused)) size_t text_copy(char *to, const char *from) {
    size_t n = 0;
    for (;; n++) {
        char c = from[n];
        to[n] = c;
        if (!c)
            break;
    }
    __selkie_check(__selkie_is_disjoint(to, from, n + 1), "overlap", "string copied onto itself");
    return n;
}

/* Are the strings equal? */
static inline __attribute__((unused)) _Bool text_equal(const char *left, const char *right) {
    size_t i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return left[i] == right[i];
}

/* Is the byte one of the string's? Its terminator does not count. */
static inline __attribute__((unused)) _Bool text_has(const char *set, char c) {
    for (size_t i = 0; set[i]; i++)
        if (set[i] == c)
            return 1;
    return 0;
}

/* White space, digits and letters of the C locale. */
static inline __attribute__((unused)) _Bool text_space(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline __attribute__((unused)) int text_lower(int c) {
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

/* The value of a digit in bases up to 36; 36 for all other bytes. */
static inline __attribute__((unused)) unsigned text_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 36;
}

/* A new heap object, or null where failures are wanted. */
static inline __attribute__((unused)) void *heap_new(size_t n) {
    return __selkie_malloc_fails() ? NULL : __selkie_alloc(n);
}

#endif
