/* wchar_printf.c: the printf family with formats of wide characters. */
#include "format.h"
#include "stream.h"

static int wchar_printf_list(const wchar_t *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_format_write_wide(NULL, 0, format, &arguments);
    va_end(arguments.list);
    return printed_count(count);
}

static int wchar_printf_to(struct stream *f, const wchar_t *format, va_list list) {
    int count = wchar_printf_list(format, list);
    return stream_accepts(f) ? count : -1;
}

MODEL int wprintf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_printf_list(format, list));
}

MODEL int vwprintf(const wchar_t *format, va_list list) {
    return wchar_printf_list(format, list);
}

MODEL int fwprintf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_printf_to(f, format, list));
}

MODEL int vfwprintf(struct stream *f, const wchar_t *format, va_list list) {
    return wchar_printf_to(f, format, list);
}

MODEL int __wprintf_chk(int flag, const wchar_t *format, ...) {
    (void)flag;
    FORMAT_VARIADIC(format, wchar_printf_list(format, list));
}

MODEL int __fwprintf_chk(struct stream *f, int flag, const wchar_t *format, ...) {
    (void)flag;
    FORMAT_VARIADIC(format, wchar_printf_to(f, format, list));
}
