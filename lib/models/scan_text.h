/* scan_text.h: the scanf family over a string. Included once for each type of character, with SCAN_CHARACTER,
 * SCAN_WIDE (0 or 1) and SCAN(name) defined. */
#include "decimal.h"
#include "scan.h"

#if SCAN_WIDE
#define SCAN_HAS(d, set, c) scan_set_has_wide((d), (set), (unsigned)(c))
#define SCAN_READ scan_directive_wide
#else
#define SCAN_HAS(d, set, c) scan_set_has((d), (set), (unsigned char)(c))
#define SCAN_READ scan_directive
#endif

/* The characters from `s` that the directive may take. */
struct SCAN(field) {
    const SCAN_CHARACTER *s;
    int left;
};

/* A character that can be a part of a number; all others that are not in ASCII become one that cannot. */
static char SCAN(narrow)(SCAN_CHARACTER c) {
    return SCAN_WIDE && (unsigned)c > 127 ? 1 : (char)c;
}

static char SCAN(peek)(const struct SCAN(field) *field) {
    return field->left > 0 ? SCAN(narrow)(*field->s) : 0;
}

static char SCAN(peek_second)(const struct SCAN(field) *field) {
    return field->left > 1 && field->s[0] ? SCAN(narrow)(field->s[1]) : 0;
}

static void SCAN(take)(struct SCAN(field) *field, int n) {
    field->s += n;
    field->left -= n;
}

/* How an attempt to read a field ended. */
#ifndef SCAN_TEXT_RESULT
#define SCAN_TEXT_RESULT
enum scan_text_result { SCAN_TEXT_OK, SCAN_TEXT_MISMATCH, SCAN_TEXT_END };
#endif

static enum scan_text_result SCAN(integer)(struct SCAN(field) *field, const struct scan *d,
                                               struct arguments *arguments) {
    _Bool is_unsigned = d->conversion != 'd' && d->conversion != 'i';
    _Bool wide = d->size == 'L' || d->size == 'j' || sizeof(long) == 8;
    unsigned base = 10;
    if (d->conversion == 'x' || d->conversion == 'X' || d->conversion == 'p')
        base = 16;
    else if (d->conversion == 'o')
        base = 8;
    else if (d->conversion == 'i')
        base = 0;
    _Bool negative = 0;
    if (SCAN(peek)(field) == '-' || SCAN(peek)(field) == '+') {
        negative = SCAN(peek)(field) == '-';
        SCAN(take)(field, 1);
    }
    _Bool digits = 0, large = 0;
    if (SCAN(peek)(field) == '0') {
        char second = SCAN(peek_second)(field);
        if ((second == 'x' || second == 'X') && (base == 0 || base == 16)) {
            /* As in glibc, a prefix without a digit is a zero. */
            SCAN(take)(field, 2);
            digits = 1;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    /* As strtol and strtoul do: out of range becomes the nearest number. */
    unsigned long long limit = wide ? (unsigned long long)-1 : (unsigned)-1;
    if (!is_unsigned)
        limit = (limit >> 1) + negative;
    unsigned long long value = 0, most = limit / base;
    unsigned last = (unsigned)(limit % base);
    for (unsigned digit; (digit = text_digit(SCAN(peek)(field))) < base; SCAN(take)(field, 1)) {
        digits = 1;
        if (value > most || (value == most && digit > last))
            large = 1;
        value = value * base + digit;
    }
    if (!digits)
        return SCAN_TEXT_MISMATCH;
    if (large)
        value = limit;
    if (negative && !(large && is_unsigned))
        value = -value;
    if (d->assign) {
        if (d->conversion == 'p')
            *va_arg(arguments->list, void **) = (void *)(size_t)value;
        else
            scan_store_integer(d, arguments, value);
    }
    return SCAN_TEXT_OK;
}

static enum scan_text_result SCAN(floating)(struct SCAN(field) *field, const struct scan *d,
                                                struct arguments *arguments) {
    char token[64];
    int n = 0;
    for (; n < field->left && field->s[n] && !text_space(field->s[n]); n++) {
        if (n == 63)
            __selkie_unsupported("a number of more than 63 characters for scanf");
        token[n] = SCAN(narrow)(field->s[n]);
    }
    token[n] = 0;
    struct decimal number = decimal_read(token);
    if (number.end == token)
        return SCAN_TEXT_MISMATCH;
    SCAN(take)(field, (int)(number.end - token));
    if (!d->assign)
        return SCAN_TEXT_OK;
    if (d->size == 'L')
        *va_arg(arguments->list, long double *) = decimal_value_long(&number);
    else if (d->size == 'l')
        *va_arg(arguments->list, double *) = decimal_value(&number);
    else
        *va_arg(arguments->list, float *) = decimal_value_float(&number);
    return SCAN_TEXT_OK;
}

/* Stores an element of the type that the directive asks for. Between types only ASCII is converted. */
static void SCAN(store)(const struct scan *d, void *to, int i, SCAN_CHARACTER c) {
    if ((d->size == 'l') != SCAN_WIDE && (unsigned)c > 127)
        __selkie_unsupported("a character outside ASCII for scanf");
    if (d->size == 'l')
        ((wchar_t *)to)[i] = (wchar_t)c;
    else
        ((char *)to)[i] = (char)c;
}

/* Conversions c, s and sets. */
static enum scan_text_result SCAN(elements)(struct SCAN(field) *field, const struct scan *d, const SCAN_CHARACTER *set,
                                            struct arguments *arguments) {
    void *to = d->assign ? va_arg(arguments->list, void *) : NULL;
    int n = 0;
    for (; n < field->left && field->s[n]; n++) {
        SCAN_CHARACTER c = field->s[n];
        if (d->conversion == 's' && text_space(c))
            break;
        if (d->conversion == '[' && !SCAN_HAS(d, set, c))
            break;
        if (to)
            SCAN(store)(d, to, n, c);
    }
    if (n == 0)
        return SCAN_TEXT_MISMATCH;
    if (to && d->conversion != 'c')
        SCAN(store)(d, to, n, 0);
    SCAN(take)(field, n);
    return SCAN_TEXT_OK;
}

static enum scan_text_result SCAN(convert)(struct SCAN(field) *field, const struct scan *d, const SCAN_CHARACTER *set,
                                           struct arguments *arguments) {
    if (!*field->s)
        return SCAN_TEXT_END;
    switch (d->conversion) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'p':
        return SCAN(integer)(field, d, arguments);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return SCAN(floating)(field, d, arguments);
    case 'c': case 's': case '[':
        return SCAN(elements)(field, d, set, arguments);
    case '%':
        if (*field->s != '%')
            return SCAN_TEXT_MISMATCH;
        SCAN(take)(field, 1);
        return SCAN_TEXT_OK;
    }
    __selkie_unsupported("conversion in a scanf format");
    return SCAN_TEXT_MISMATCH;
}

/* As in glibc, the end of the text is EOF until something has been assigned. */
static int SCAN(scan)(const SCAN_CHARACTER *text, const SCAN_CHARACTER *format, struct arguments *arguments) {
    const SCAN_CHARACTER *s = text;
    int count = 0;
    for (const SCAN_CHARACTER *p = format; *p;) {
        if (text_space(*p)) {
            p++;
            while (text_space(*s))
                s++;
            continue;
        }
        if (*p != '%') {
            if (!*s)
                return count > 0 ? count : EOF;
            if (*s++ != *p++)
                return count;
            continue;
        }
        struct scan d = SCAN_NOTHING;
        const SCAN_CHARACTER *set = NULL;
        p = SCAN_READ(p + 1, &d, &set);
        if (d.conversion == 'n') {
            if (d.assign)
                scan_store_integer(&d, arguments, s - text);
            continue;
        }
        if (d.conversion != 'c' && d.conversion != '[')
            while (text_space(*s))
                s++;
        int width = d.width > 0 ? d.width : d.conversion == 'c' ? 1 : 2147483647;
        struct SCAN(field) field = {s, width};
        switch (SCAN(convert)(&field, &d, set, arguments)) {
        case SCAN_TEXT_END: return count > 0 ? count : EOF;
        case SCAN_TEXT_MISMATCH: return count;
        case SCAN_TEXT_OK: break;
        }
        s = field.s;
        count += d.assign && d.conversion != '%';
    }
    return count;
}

#undef SCAN
#undef SCAN_CHARACTER
#undef SCAN_HAS
#undef SCAN_READ
#undef SCAN_WIDE
