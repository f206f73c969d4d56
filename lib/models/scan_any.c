/* scan_any.c: the scanf family over unknown input. Each conversion may fail; one that does not stores any
 * value that its directive can yield. */
#include "scan.h"

/* Any integer; a width of up to nine limits decimal ones. */
static void scan_any_integer(const struct scan *d, struct arguments *arguments) {
    unsigned long long value = any_ulonglong();
    if (d->width > 0 && d->width <= 9 && (d->conversion == 'd' || d->conversion == 'u')) {
        long long power = 1;
        for (int i = 0; i < d->width; i++)
            power *= 10;
        sk_assume((long long)value < power && (long long)value > -(power / 10));
    }
    scan_store_integer(d, arguments, value);
}

static void scan_any_floating(const struct scan *d, struct arguments *arguments) {
    if (d->size == 'L')
        *va_arg(arguments->list, long double *) = any_longdouble();
    else if (d->size == 'l')
        *va_arg(arguments->list, double *) = any_double();
    else
        *va_arg(arguments->list, float *) = any_float();
}

/* Words of any length have what their directive accepts; so far it is looked at. */
#define SCAN_ANY_LOOK 16

/* Defines what conversions c, s and sets do with elements of one type. `accepts` says of to[i] whether
 * the directive can yield it. */
#define SCAN_ANY_ELEMENTS(name, character, format_character, accepts) \
    static void name(const struct scan *d, const format_character *set, struct arguments *arguments) { \
        character *to = va_arg(arguments->list, character *); \
        (void)set; \
        if (d->conversion == 'c') { \
            size_t n = d->width > 0 ? d->width : 1; \
            check_write(to, n * sizeof(character), "scanf: the array has room for the characters"); \
            __selkie_havoc(to, n * sizeof(character)); \
            return; \
        } \
        size_t n = any_size(); \
        sk_assume(n >= 1 && n < (size_t)-1 / (2 * sizeof(character))); \
        if (d->width > 0) { \
            sk_assume(n <= (size_t)d->width); \
            check_write(to, (d->width + (size_t)1) * sizeof(character), "scanf: the array has room for the width"); \
            __selkie_havoc(to, n * sizeof(character)); \
            for (size_t i = 0; i < (size_t)d->width; i++) \
                sk_assume(i >= n || (accepts)); \
        } else { \
            check_write(to, (n + 1) * sizeof(character), "scanf: the array has room for a word of any length"); \
            __selkie_havoc(to, n * sizeof(character)); \
            for (size_t i = 0; i < SCAN_ANY_LOOK; i++) \
                if (i < n) \
                    sk_assume(accepts); \
        } \
        to[n] = 0; \
    }

#define scan_any_word(c) (d->conversion == 's' && !text_space(c))

SCAN_ANY_ELEMENTS(scan_any_chars, char, char,
                  scan_any_word(to[i]) || (d->conversion == '[' && scan_set_has(d, set, (unsigned char)to[i])))
SCAN_ANY_ELEMENTS(scan_any_wides, wchar_t, char,
                  scan_any_word(to[i]) || d->conversion == '[')
SCAN_ANY_ELEMENTS(scan_any_chars_wide, char, wchar_t,
                  scan_any_word(to[i]) || d->conversion == '[')
SCAN_ANY_ELEMENTS(scan_any_wides_wide, wchar_t, wchar_t,
                  scan_any_word(to[i]) || (d->conversion == '[' && scan_set_has_wide(d, set, to[i])))

/* Integers, floating-point numbers and pointers; is it another conversion? */
static _Bool scan_any_number(const struct scan *d, struct arguments *arguments) {
    switch (d->conversion) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        scan_any_integer(d, arguments);
        return 1;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        scan_any_floating(d, arguments);
        return 1;
    case 'p':
        *va_arg(arguments->list, void **) = (void *)any_size();
        return 1;
    }
    return 0;
}

/* Defines the whole for formats of one type. */
#define SCAN_ANY(name, character, directive, chars, wides) \
    MODEL int name(const character *format, struct arguments *arguments) { \
        int count = 0; \
        for (const character *p = format; *p;) { \
            if (*p != '%') { \
                /* The input may end here, or have something else. */ \
                if (!text_space(*p) && any_bool()) \
                    return count == 0 && any_bool() ? EOF : count; \
                p++; \
                continue; \
            } \
            struct scan d = SCAN_NOTHING; \
            const character *set = NULL; \
            p = directive(p + 1, &d, &set); \
            if (d.conversion == 'n') { \
                if (d.assign) \
                    scan_store_integer(&d, arguments, (unsigned)rough_int_in(0, 2147483647)); \
                continue; \
            } \
            if (any_bool()) \
                return count == 0 && any_bool() ? EOF : count; \
            if (d.conversion == '%') \
                continue; \
            if (!d.assign) \
                continue; \
            if (!scan_any_number(&d, arguments)) { \
                if (d.conversion != 'c' && d.conversion != 's' && d.conversion != '[') \
                    __selkie_unsupported("conversion in a scanf format"); \
                if (d.size == 'l') \
                    wides(&d, set, arguments); \
                else \
                    chars(&d, set, arguments); \
            } \
            count++; \
        } \
        return count; \
    }

SCAN_ANY(__selkie_scan_any, char, scan_directive, scan_any_chars, scan_any_wides)
SCAN_ANY(__selkie_scan_any_wide, wchar_t, scan_directive_wide, scan_any_chars_wide, scan_any_wides_wide)
