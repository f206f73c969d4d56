/* format.h: directives of printf formats and the arguments they take. */
#ifndef SELKIE_MODELS_FORMAT_H
#define SELKIE_MODELS_FORMAT_H

#include "system.h"

/* The variable arguments, by reference on every platform. */
struct arguments {
    va_list list;
};

/* Between the per cent sign and the conversion. */
struct directive {
    int width;       /* 0 if there is none. */
    int precision;   /* -1 if there is none. */
    char size;       /* 'H' for hh, 'L' for ll, L and q; h, l, j, z, t; 0 if there is none. */
    char conversion; /* Its letter, C and S as lc and ls; 0 if the format ends. */
    _Bool left, plus, space, hash, zero;
};

/* What a directive is before it is read. */
#define FORMAT_NOTHING ((struct directive){.precision = -1})

/* Defines `name`, which reads what follows a per cent sign into `d`, which is FORMAT_NOTHING, in formats of type `character`, and
 * yields what follows the directive. */
#define FORMAT_DIRECTIVE(name, character) \
    static inline __attribute__((unused)) const character *name(const character *p, struct arguments *arguments, \
                                                                struct directive *d) { \
        for (;; p++) { \
            if (*p == '-') \
                d->left = 1; \
            else if (*p == '+') \
                d->plus = 1; \
            else if (*p == ' ') \
                d->space = 1; \
            else if (*p == '#') \
                d->hash = 1; \
            else if (*p == '0') \
                d->zero = 1; \
            else if (*p != '\'') \
                break; \
        } \
        if (*p == '*') { \
            d->width = va_arg(arguments->list, int); \
            if (d->width < 0) { \
                d->left = 1; \
                d->width = -d->width; \
            } \
            p++; \
        } else { \
            for (; *p >= '0' && *p <= '9'; p++) \
                d->width = d->width * 10 + (*p - '0'); \
            if (*p == '$') \
                __selkie_unsupported("numbered arguments in a format"); \
        } \
        if (*p == '.') { \
            p++; \
            d->precision = 0; \
            if (*p == '*') { \
                d->precision = va_arg(arguments->list, int); \
                if (d->precision < 0) \
                    d->precision = -1; \
                p++; \
            } else { \
                for (; *p >= '0' && *p <= '9'; p++) \
                    d->precision = d->precision * 10 + (*p - '0'); \
            } \
        } \
        for (;; p++) { \
            if (*p == 'h') \
                d->size = d->size == 'h' ? 'H' : 'h'; \
            else if (*p == 'l') \
                d->size = d->size == 'l' ? 'L' : 'l'; \
            else if (*p == 'L' || *p == 'q') \
                d->size = 'L'; \
            else if (*p == 'j' || *p == 'z' || *p == 't') \
                d->size = (char)*p; \
            else \
                break; \
        } \
        d->conversion = (char)*p; \
        if (*p == 'C' || *p == 'S') { \
            d->size = 'l'; \
            d->conversion = *p == 'C' ? 'c' : 's'; \
        } \
        return *p ? p + 1 : p; \
    }

/* The signed integer that the directive takes. */
static inline __attribute__((unused)) long long format_signed(const struct directive *d,
                                                              struct arguments *arguments) {
    switch (d->size) {
    case 'H': return (signed char)va_arg(arguments->list, int);
    case 'h': return (short)va_arg(arguments->list, int);
    case 'l': return va_arg(arguments->list, long);
    case 'L': return va_arg(arguments->list, long long);
    case 'j': return va_arg(arguments->list, intmax_t);
    case 'z': return va_arg(arguments->list, ssize_t);
    case 't': return va_arg(arguments->list, ssize_t);
    }
    return va_arg(arguments->list, int);
}

/* The unsigned integer that the directive takes. */
static inline __attribute__((unused)) unsigned long long format_unsigned(const struct directive *d,
                                                                         struct arguments *arguments) {
    switch (d->size) {
    case 'H': return (unsigned char)va_arg(arguments->list, unsigned);
    case 'h': return (unsigned short)va_arg(arguments->list, unsigned);
    case 'l': return va_arg(arguments->list, unsigned long);
    case 'L': return va_arg(arguments->list, unsigned long long);
    case 'j': return va_arg(arguments->list, uintmax_t);
    case 'z': return va_arg(arguments->list, size_t);
    case 't': return va_arg(arguments->list, size_t);
    }
    return va_arg(arguments->list, unsigned);
}

/* Stores a count for the conversion n. */
static inline __attribute__((unused)) void format_store_count(const struct directive *d,
                                                              struct arguments *arguments, int count) {
    void *to = va_arg(arguments->list, void *);
    switch (d->size) {
    case 'H': *(signed char *)to = (signed char)count; return;
    case 'h': *(short *)to = (short)count; return;
    case 'l': *(long *)to = count; return;
    case 'L': *(long long *)to = count; return;
    case 'j': *(intmax_t *)to = count; return;
    case 'z': *(ssize_t *)to = count; return;
    case 't': *(ssize_t *)to = count; return;
    }
    *(int *)to = count;
}

/* Reads at most `precision` elements of a string (all if it is negative). */
#define FORMAT_STRING(name, character) \
    static inline __attribute__((unused)) int name(const character *s, int precision) { \
        int n = 0; \
        while ((precision < 0 || n < precision) && s[n]) \
            n++; \
        return n; \
    }

FORMAT_DIRECTIVE(format_directive, char)
FORMAT_DIRECTIVE(format_directive_wide, wchar_t)
FORMAT_STRING(format_string, char)
FORMAT_STRING(format_string_wide, wchar_t)

/* What the printf family reads and writes besides its output: see format_read.c. */
void __selkie_format_read(const char *format, struct arguments *arguments);
void __selkie_format_read_wide(const wchar_t *format, struct arguments *arguments);

/* The text that the printf family makes: see format_write.c. At most `limit` elements with the
 * terminator are stored; yields how many there are without the limit, or -1. */
int __selkie_format_write(char *to, size_t limit, const char *format, struct arguments *arguments);
int __selkie_format_write_wide(wchar_t *to, size_t limit, const wchar_t *format, struct arguments *arguments);

/* The body of a variadic function: yields what `call` makes of `list`, the arguments behind `last`. */
#define FORMAT_VARIADIC(last, call) \
    do { \
        va_list list; \
        va_start(list, last); \
        int format_result = call; \
        va_end(list); \
        return format_result; \
    } while (0)

/* The number of characters that reached a stream: all of them, or -1. */
static inline __attribute__((unused)) int printed_count(int count) {
    return count >= 0 && any_bool() ? count : system_failed();
}

#endif
