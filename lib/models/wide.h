/* wide.h: walking over terminated strings of wide characters. */
#ifndef SELKIE_MODELS_WIDE_H
#define SELKIE_MODELS_WIDE_H

#include <selkie/model.h>

static inline __attribute__((unused)) size_t wide_length(const wchar_t *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static inline __attribute__((unused)) size_t wide_length_up_to(const wchar_t *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

/* The size of `n` wide characters; one that no object has if there is none. */
static inline __attribute__((unused)) size_t wide_bytes(size_t n) {
    return n <= (size_t)-1 / sizeof(wchar_t) ? n * sizeof(wchar_t) : (size_t)-1;
}

/* Copies with the terminator. */
static inline __attribute__((unused)) void wide_copy(wchar_t *to, const wchar_t *from) {
    size_t n = 0;
    for (;; n++) {
        wchar_t c = from[n];
        to[n] = c;
        if (!c)
            break;
    }
    __selkie_check(__selkie_is_disjoint(to, from, (n + 1) * sizeof(wchar_t)), "overlap", "string copied onto itself");
}

#endif
