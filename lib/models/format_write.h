/* format_write.h: the text that the printf family makes. Included once for each type of character,
 * with FORMAT_CHARACTER, FORMAT_WIDE (0 or 1) and FORMAT(name) defined.
 *
 * Integers, characters and strings are exact. Floating-point numbers and pointers become any
 * printable characters; their number is exact up to rounding.
 *
 * Loops run to bounds that the format gives, with a condition inside: then a symbolic number has a
 * symbolic length, but not a symbolic loop. */
#include "format.h"

struct FORMAT(sink) {
    FORMAT_CHARACTER *to;
    size_t limit;
    size_t at;
    _Bool failed;
};

static void FORMAT(put)(struct FORMAT(sink) *sink, FORMAT_CHARACTER c) {
    if (sink->at + 1 < sink->limit)
        sink->to[sink->at] = c;
    sink->at++;
}

/* `count` times the same; `bound` is not less. */
static void FORMAT(fill)(struct FORMAT(sink) *sink, char c, int count, int bound) {
    for (int i = 0; i < bound; i++)
        if (i < count)
            FORMAT(put)(sink, c);
}

/* Digits, the last one first; yields their number, which is a matter of comparisons, not of the divisions.
 * Narrow arithmetic is cheaper to reason about. */
#define FORMAT_DIGITS(name, type) \
    static int name(unsigned char *digits, type value, type base, int most) { \
        int count = 0; \
        type power = 1; \
        for (int i = 0; i < most; i++, power *= base) \
            if (value >= power) \
                count = i + 1; \
        for (int i = 0; i < most; i++, value /= base) \
            digits[i] = value % base; \
        return count; \
    }
FORMAT_DIGITS(FORMAT(digits), unsigned)
FORMAT_DIGITS(FORMAT(digits_long), unsigned long long)
#undef FORMAT_DIGITS

static void FORMAT(integer)(struct FORMAT(sink) *sink, const struct directive *d, char sign,
                            unsigned long long value) {
    unsigned char digits[22];
    unsigned base = 10;
    if (d->conversion == 'x' || d->conversion == 'X')
        base = 16;
    else if (d->conversion == 'o')
        base = 8;
    char ten = d->conversion == 'X' ? 'A' - 10 : 'a' - 10;
    _Bool wide = d->size == 'L' || d->size == 'j' || (sizeof(long) == 8 && (d->size == 'l' || d->size == 'z' || d->size == 't'));
    int most = base == 10 ? 10 : base == 16 ? 8 : 11;
    if (wide)
        most *= 2;
    int count = wide ? FORMAT(digits_long)(digits, value, base, most) : FORMAT(digits)(digits, (unsigned)value, base, most);
    int zeros = (d->precision < 0 ? 1 : d->precision) - count;
    if (zeros < 0)
        zeros = 0;
    if (base == 8 && d->hash && zeros == 0)
        zeros = 1;
    int prefix = (sign != 0) + (base == 16 && d->hash && value != 0 ? 2 : 0);
    int spaces = d->width - prefix - zeros - count;
    if (d->zero && !d->left && d->precision < 0 && spaces > 0) {
        zeros += spaces;
        spaces = 0;
    }
    if (!d->left)
        FORMAT(fill)(sink, ' ', spaces, d->width);
    if (sign)
        FORMAT(put)(sink, sign);
    if (base == 16 && d->hash && value != 0) {
        FORMAT(put)(sink, '0');
        FORMAT(put)(sink, d->conversion);
    }
    int bound = d->width > d->precision ? d->width : d->precision;
    FORMAT(fill)(sink, '0', zeros, bound > 0 ? bound : 1);
    for (int i = most; i-- > 0;)
        if (i < count)
            FORMAT(put)(sink, digits[i] < 10 ? '0' + digits[i] : ten + digits[i]);
    if (d->left)
        FORMAT(fill)(sink, ' ', spaces, d->width);
}

/* Any printable characters, at least `low` and at most `high`. */
static void FORMAT(any)(struct FORMAT(sink) *sink, const struct directive *d, int low, int high) {
    int count = low == high ? low : rough_int_in(low, high);
    if (!d->left)
        FORMAT(fill)(sink, ' ', d->width - count, d->width);
    for (int i = 0; i < high; i++)
        if (i < count) {
            char c = __selkie_nondet_approx_char() & 127;
            FORMAT(put)(sink, c < ' ' ? c + ' ' : c == 127 ? '~' : c);
        }
    if (d->left)
        FORMAT(fill)(sink, ' ', d->width - count, d->width);
}

/* What is no number, exactly: padded with spaces only. */
static void FORMAT(special)(struct FORMAT(sink) *sink, const struct directive *d, char sign, const char *letters) {
    int count = 3 + (sign != 0);
    char lower = d->conversion >= 'a' ? 'a' - 'A' : 0;
    if (!d->left)
        FORMAT(fill)(sink, ' ', d->width - count, d->width);
    if (sign)
        FORMAT(put)(sink, sign);
    for (int i = 0; i < 3; i++)
        FORMAT(put)(sink, letters[i] + lower);
    if (d->left)
        FORMAT(fill)(sink, ' ', d->width - count, d->width);
}

static void FORMAT(floating)(struct FORMAT(sink) *sink, const struct directive *d, struct arguments *arguments) {
    _Bool is_long = d->size == 'L';
    long double exact = 0;
    double value = 0;
    if (is_long)
        value = (double)(exact = va_arg(arguments->list, long double));
    else
        exact = value = va_arg(arguments->list, double);
    double magnitude = __builtin_fabs(value);
    _Bool negative = is_long ? __builtin_signbitl(exact) : __builtin_signbit(value);
    /* A compiler that makes a NaN itself makes a positive one, the machine a negative one. */
    if (value != value && !negative)
        negative = rough_bool();
    if (value != value || __builtin_isinf(exact)) {
        char shown = negative ? '-' : d->plus ? '+' : d->space ? ' ' : 0;
        FORMAT(special)(sink, d, shown, value != value ? "NAN" : "INF");
        return;
    }
    int sign = d->plus || d->space || negative;
    int precision = d->precision < 0 ? 6 : d->precision;
    int point = precision > 0 || d->hash;
    if (!(magnitude < __builtin_inf())) {
        /* A long double became infinite by the conversion. */
        FORMAT(any)(sink, d, sign + 1, sign + 4940 + precision);
        return;
    }
    switch (d->conversion) {
    case 'f': case 'F': {
        int whole = 1;
        for (double power = 10; whole < 19 && magnitude >= power; power *= 10)
            whole++;
        FORMAT(any)(sink, d, sign + whole + point + precision, sign + (whole < 19 ? whole + 1 : 310) + point + precision);
        return;
    }
    case 'e': case 'E':
        FORMAT(any)(sink, d, sign + 1 + point + precision + 4, sign + 1 + point + precision + 6);
        return;
    case 'g': case 'G':
        FORMAT(any)(sink, d, sign + 1, sign + precision + 8);
        return;
    }
    FORMAT(any)(sink, d, sign + 6, sign + 12 + (d->precision < 0 ? 28 : precision));
}

/* A character or an element of a string of the other type. In the C locale only ASCII has both. */
static void FORMAT(convert)(struct FORMAT(sink) *sink, unsigned c) {
    if (c > 127)
        sink->failed = 1;
    FORMAT(put)(sink, (FORMAT_CHARACTER)c);
}

/* Obligation: the `n` elements that were put last are not a part of the string that they come from. */
static void FORMAT(disjoint)(const struct FORMAT(sink) *sink, const FORMAT_CHARACTER *s, int n) {
    size_t start = sink->at - (size_t)n, stored = 0;
    if (start + 1 < sink->limit)
        stored = sink->at < sink->limit ? (size_t)n : sink->limit - 1 - start;
    __selkie_check(stored == 0 || __selkie_is_disjoint(sink->to + start, s, stored * sizeof *s), "overlap",
                   "string printed onto itself");
}

/* Defines what the conversion s does with strings of one type. A string that is padded on the left is
 * measured first. */
#define FORMAT_TEXT(name, character, measure, store, after) \
    static void name(struct FORMAT(sink) *sink, const struct directive *d, const character *s) { \
        int n = 0; \
        if (d->width > 0 && !d->left) \
            FORMAT(fill)(sink, ' ', d->width - measure(s, d->precision), d->width); \
        for (; (d->precision < 0 || n < d->precision) && s[n]; n++) \
            store; \
        after; \
        if (d->left) \
            FORMAT(fill)(sink, ' ', d->width - n, d->width); \
    }

#if FORMAT_WIDE
FORMAT_TEXT(FORMAT(text), char, format_string, FORMAT(convert)(sink, (unsigned char)s[n]), (void)0)
FORMAT_TEXT(FORMAT(text_wide), wchar_t, format_string_wide, FORMAT(put)(sink, s[n]), FORMAT(disjoint)(sink, s, n))
#else
FORMAT_TEXT(FORMAT(text), char, format_string, FORMAT(put)(sink, s[n]), FORMAT(disjoint)(sink, s, n))
FORMAT_TEXT(FORMAT(text_wide), wchar_t, format_string_wide, FORMAT(convert)(sink, s[n]), (void)0)
#endif
#undef FORMAT_TEXT

static void FORMAT(character)(struct FORMAT(sink) *sink, const struct directive *d, int c) {
    if (!d->left)
        FORMAT(fill)(sink, ' ', d->width - 1, d->width);
    if (!FORMAT_WIDE && d->size != 'l')
        FORMAT(put)(sink, (FORMAT_CHARACTER)(unsigned char)c);
    else if (FORMAT_WIDE && d->size == 'l')
        FORMAT(put)(sink, (FORMAT_CHARACTER)c);
    else
        FORMAT(convert)(sink, FORMAT_WIDE ? (unsigned char)c : (unsigned)c);
    if (d->left)
        FORMAT(fill)(sink, ' ', d->width - 1, d->width);
}

static void FORMAT(argument)(struct FORMAT(sink) *sink, const struct directive *d, struct arguments *arguments) {
    switch (d->conversion) {
    case 'd': case 'i': {
        long long value = format_signed(d, arguments);
        char sign = value < 0 ? '-' : d->plus ? '+' : d->space ? ' ' : 0;
        FORMAT(integer)(sink, d, sign, value < 0 ? -(unsigned long long)value : (unsigned long long)value);
        return;
    }
    case 'b': case 'B':
        (void)format_unsigned(d, arguments);
        FORMAT(any)(sink, d, 1, 66 + (d->precision > 0 ? d->precision : 0));
        return;
    case 'o': case 'u': case 'x': case 'X':
        FORMAT(integer)(sink, d, 0, format_unsigned(d, arguments));
        return;
    case 'c':
        FORMAT(character)(sink, d, va_arg(arguments->list, int));
        return;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        FORMAT(floating)(sink, d, arguments);
        return;
    case 's':
        if (d->size == 'l')
            FORMAT(text_wide)(sink, d, va_arg(arguments->list, const wchar_t *));
        else
            FORMAT(text)(sink, d, va_arg(arguments->list, const char *));
        return;
    case 'p':
        (void)va_arg(arguments->list, void *);
        FORMAT(any)(sink, d, 3, 2 + 2 * sizeof(void *));
        return;
    case 'n':
        format_store_count(d, arguments, (int)sink->at);
        return;
    case 'm':
        FORMAT(any)(sink, d, 1, 63);
        return;
    case '%':
        FORMAT(put)(sink, '%');
        return;
    }
    __selkie_unsupported("conversion in a format");
}

static int FORMAT(write)(FORMAT_CHARACTER *to, size_t limit, const FORMAT_CHARACTER *format, struct arguments *arguments) {
    struct FORMAT(sink) sink = {to, limit, 0, 0};
    for (const FORMAT_CHARACTER *p = format; *p;) {
        FORMAT_CHARACTER c = *p++;
        if (c == '%') {
            struct directive d = FORMAT_NOTHING;
#if FORMAT_WIDE
            p = format_directive_wide(p, arguments, &d);
#else
            p = format_directive(p, arguments, &d);
#endif
            FORMAT(argument)(&sink, &d, arguments);
        } else {
            FORMAT(put)(&sink, c);
        }
    }
    if (limit > 0)
        to[sink.at < limit ? sink.at : limit - 1] = 0;
    return sink.failed ? -1 : (int)sink.at;
}

#undef FORMAT
#undef FORMAT_CHARACTER
#undef FORMAT_WIDE
