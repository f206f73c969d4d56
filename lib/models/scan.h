/* scan.h: directives of scanf formats and the objects they assign to. */
#ifndef SELKIE_MODELS_SCAN_H
#define SELKIE_MODELS_SCAN_H

#include "format.h"
#include "text.h"

/* A directive of a scanf format. */
struct scan {
    int width;       /* 0 if there is none. */
    char size;       /* As in printf's directives. */
    char conversion; /* Its letter, '[' for sets; 0 if the format ends. */
    _Bool assign;    /* No star. */
    _Bool set_not;   /* For sets: all elements but these. */
};

/* What a directive is before it is read. */
#define SCAN_NOTHING ((struct scan){.assign = 1})

/* Defines `name`, which reads what follows a per cent sign into `d`, which is SCAN_NOTHING, and yields what follows it. For a set, that is
 * the closing bracket's successor; *set is its first element. */
#define SCAN_DIRECTIVE(name, character) \
    static inline __attribute__((unused)) const character *name(const character *p, struct scan *d, \
                                                                const character **set) { \
        if (*p == '*') { \
            d->assign = 0; \
            p++; \
        } \
        for (; *p >= '0' && *p <= '9'; p++) \
            d->width = d->width * 10 + (*p - '0'); \
        if (*p == '$') \
            __selkie_unsupported("numbered arguments in a format"); \
        for (;; p++) { \
            if (*p == 'h') \
                d->size = d->size == 'h' ? 'H' : 'h'; \
            else if (*p == 'l') \
                d->size = d->size == 'l' ? 'L' : 'l'; \
            else if (*p == 'L' || *p == 'q') \
                d->size = 'L'; \
            else if (*p == 'j' || *p == 'z' || *p == 't') \
                d->size = (char)*p; \
            else if (*p == 'm') \
                __selkie_unsupported("allocation by a scanf format"); \
            else \
                break; \
        } \
        d->conversion = (char)*p; \
        if (*p == 'C' || *p == 'S') { \
            d->size = 'l'; \
            d->conversion = *p == 'C' ? 'c' : 's'; \
        } else if (*p == '[') { \
            if (p[1] == '^') { \
                d->set_not = 1; \
                p++; \
            } \
            *set = p + 1; \
            p++; \
            if (*p == ']') \
                p++; \
            while (*p && *p != ']') \
                p++; \
        } \
        return *p ? p + 1 : p; \
    }

/* Defines `name`: is `c` an element of the set that begins at `set`? */
#define SCAN_SET(name, character) \
    static inline __attribute__((unused)) _Bool name(const struct scan *d, const character *set, unsigned c) { \
        _Bool found = 0; \
        for (const character *p = set; *p && (*p != ']' || p == set); p++) { \
            if (*p == '-' && p != set && p[1] != ']' && p[1]) { \
                if ((unsigned)SCAN_UNSIGNED(p[-1]) <= c && c <= (unsigned)SCAN_UNSIGNED(p[1])) \
                    found = 1; \
            } else if ((unsigned)SCAN_UNSIGNED(*p) == c) { \
                found = 1; \
            } \
        } \
        return found != d->set_not; \
    }

SCAN_DIRECTIVE(scan_directive, char)
SCAN_DIRECTIVE(scan_directive_wide, wchar_t)
#define SCAN_UNSIGNED(c) (unsigned char)(c)
SCAN_SET(scan_set_has, char)
#undef SCAN_UNSIGNED
#define SCAN_UNSIGNED(c) (c)
SCAN_SET(scan_set_has_wide, wchar_t)
#undef SCAN_UNSIGNED

/* Stores an integer, cut to the directive's size. */
static inline __attribute__((unused)) void scan_store_integer(const struct scan *d, struct arguments *arguments,
                                                              unsigned long long value) {
    void *to = va_arg(arguments->list, void *);
    switch (d->size) {
    case 'H': *(unsigned char *)to = (unsigned char)value; return;
    case 'h': *(unsigned short *)to = (unsigned short)value; return;
    case 'l': *(unsigned long *)to = (unsigned long)value; return;
    case 'L': *(unsigned long long *)to = value; return;
    case 'j': *(uintmax_t *)to = value; return;
    case 'z': *(size_t *)to = (size_t)value; return;
    case 't': *(size_t *)to = (size_t)value; return;
    }
    *(unsigned *)to = (unsigned)value;
}

/* The scanf family over a string, exactly: see scan_text.h. */
int __selkie_scan_text(const char *text, const char *format, struct arguments *arguments);
int __selkie_scan_text_wide(const wchar_t *text, const wchar_t *format, struct arguments *arguments);

/* The scanf family over unknown input: see scan_any.c. */
int __selkie_scan_any(const char *format, struct arguments *arguments);
int __selkie_scan_any_wide(const wchar_t *format, struct arguments *arguments);

#endif
