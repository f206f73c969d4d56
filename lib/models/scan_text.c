/* scan_text.c: the scanf family over a string. */
#include "decimal.h"
#include "scan.h"

/* The bytes from `s` that the directive may take. */
struct scan_text_field {
    const char *s;
    int left;
};

static char scan_text_peek(const struct scan_text_field *field) {
    return field->left > 0 ? *field->s : 0;
}

static char scan_text_peek_second(const struct scan_text_field *field) {
    return field->left > 1 && field->s[0] ? field->s[1] : 0;
}

static void scan_text_take(struct scan_text_field *field, int n) {
    field->s += n;
    field->left -= n;
}

/* How an attempt to read a field ended. */
enum scan_text_result { SCAN_TEXT_OK, SCAN_TEXT_MISMATCH, SCAN_TEXT_END };

static enum scan_text_result scan_text_integer(struct scan_text_field *field, const struct scan *d,
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
    if (scan_text_peek(field) == '-' || scan_text_peek(field) == '+') {
        negative = scan_text_peek(field) == '-';
        scan_text_take(field, 1);
    }
    _Bool digits = 0, large = 0;
    if (scan_text_peek(field) == '0') {
        char second = scan_text_peek_second(field);
        if ((second == 'x' || second == 'X') && (base == 0 || base == 16)) {
            /* As in glibc, a prefix without a digit is a zero. */
            scan_text_take(field, 2);
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
    for (unsigned digit; (digit = text_digit(scan_text_peek(field))) < base; scan_text_take(field, 1)) {
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

static enum scan_text_result scan_text_floating(struct scan_text_field *field, const struct scan *d,
                                                struct arguments *arguments) {
    char token[64];
    int n = 0;
    for (; n < field->left && field->s[n] && !text_space(field->s[n]); n++) {
        if (n == 63)
            __selkie_unsupported("a number of more than 63 characters for scanf");
        token[n] = field->s[n];
    }
    token[n] = 0;
    struct decimal number = decimal_read(token);
    if (number.end == token)
        return SCAN_TEXT_MISMATCH;
    scan_text_take(field, (int)(number.end - token));
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

/* Conversions c, s and sets. */
static enum scan_text_result scan_text_bytes(struct scan_text_field *field, const struct scan *d, const char *set,
                                             struct arguments *arguments) {
    if (d->size == 'l')
        __selkie_unsupported("wide characters from a string of bytes");
    char *to = d->assign ? va_arg(arguments->list, char *) : NULL;
    int n = 0;
    for (; n < field->left && field->s[n]; n++) {
        char c = field->s[n];
        if (d->conversion == 's' && text_space(c))
            break;
        if (d->conversion == '[' && !scan_set_has(d, set, (unsigned char)c))
            break;
        if (to)
            to[n] = c;
    }
    if (n == 0)
        return SCAN_TEXT_MISMATCH;
    if (to && d->conversion != 'c')
        to[n] = 0;
    scan_text_take(field, n);
    return SCAN_TEXT_OK;
}

static enum scan_text_result scan_text_field(struct scan_text_field *field, const struct scan *d, const char *set,
                                             struct arguments *arguments) {
    if (!*field->s)
        return SCAN_TEXT_END;
    switch (d->conversion) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'p':
        return scan_text_integer(field, d, arguments);
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return scan_text_floating(field, d, arguments);
    case 'c': case 's': case '[':
        return scan_text_bytes(field, d, set, arguments);
    case '%':
        if (*field->s != '%')
            return SCAN_TEXT_MISMATCH;
        scan_text_take(field, 1);
        return SCAN_TEXT_OK;
    }
    __selkie_unsupported("conversion in a scanf format");
    return SCAN_TEXT_MISMATCH;
}

/* As in glibc, the end of the text is EOF until something has been assigned. */
MODEL int __selkie_scan_text(const char *text, const char *format, struct arguments *arguments) {
    const char *s = text;
    int count = 0;
    for (const char *p = format; *p;) {
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
        const char *set = NULL;
        p = scan_directive(p + 1, &d, &set);
        if (d.conversion == 'n') {
            if (d.assign)
                scan_store_integer(&d, arguments, s - text);
            continue;
        }
        if (d.conversion != 'c' && d.conversion != '[')
            while (text_space(*s))
                s++;
        int width = d.width > 0 ? d.width : d.conversion == 'c' ? 1 : 2147483647;
        struct scan_text_field field = {s, width};
        switch (scan_text_field(&field, &d, set, arguments)) {
        case SCAN_TEXT_END: return count > 0 ? count : EOF;
        case SCAN_TEXT_MISMATCH: return count;
        case SCAN_TEXT_OK: break;
        }
        s = field.s;
        count += d.assign && d.conversion != '%';
    }
    return count;
}
