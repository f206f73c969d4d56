/* format_read.c: what the printf family reads, where nobody sees the text. */
#include "format.h"

/* Takes the directive's argument, reads strings, and stores counts. */
static void format_read_argument(const struct directive *d, struct arguments *arguments) {
    switch (d->conversion) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'b': case 'B':
        (void)format_signed(d, arguments);
        return;
    case 'c':
        (void)va_arg(arguments->list, int);
        return;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        if (d->size == 'L')
            (void)va_arg(arguments->list, long double);
        else
            (void)va_arg(arguments->list, double);
        return;
    case 's':
#ifdef SELKIE_NO_DEREF
        (void)va_arg(arguments->list, void *);
#else
        if (d->size == 'l')
            format_string_wide(va_arg(arguments->list, const wchar_t *), d->precision);
        else
            format_string(va_arg(arguments->list, const char *), d->precision);
#endif
        return;
    case 'p':
        (void)va_arg(arguments->list, void *);
        return;
    case 'n':
        format_store_count(d, arguments, rough_int_in(0, 2147483647));
        return;
    case 'm': case '%':
        return;
    }
    __selkie_unsupported("conversion in a format");
}

MODEL void __selkie_format_read(const char *format, struct arguments *arguments) {
    for (const char *p = format; *p;) {
        if (*p++ == '%') {
            struct directive d = FORMAT_NOTHING;
            p = format_directive(p, arguments, &d);
            format_read_argument(&d, arguments);
        }
    }
}

MODEL void __selkie_format_read_wide(const wchar_t *format, struct arguments *arguments) {
    for (const wchar_t *p = format; *p;) {
        if (*p++ == '%') {
            struct directive d = FORMAT_NOTHING;
            p = format_directive_wide(p, arguments, &d);
            format_read_argument(&d, arguments);
        }
    }
}
