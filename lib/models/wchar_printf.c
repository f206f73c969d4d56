/* wchar_printf.c: the printf and scanf families with formats of wide characters. */
#include "scan.h"
#include "stream.h"

static int wchar_printf_list(const wchar_t *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    __selkie_format_read_wide(format, &arguments);
    va_end(arguments.list);
    return any_count();
}

static int wchar_printf_to(struct stream *f, const wchar_t *format, va_list list) {
    int count = wchar_printf_list(format, list);
    return stream_accepts(f) ? count : -1;
}

static int wchar_scanf_any(const wchar_t *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_scan_any_wide(format, &arguments);
    va_end(arguments.list);
    return count;
}

static int wchar_scanf_from(struct stream *f, const wchar_t *format, va_list list) {
    stream_check(f);
    if (f->at_end)
        return EOF;
    int count = wchar_scanf_any(format, list);
    if (count == EOF)
        stream_stop(f);
    return count;
}

/* What is read from a string is any value that fits the directive. */
static int wchar_scanf_text(const wchar_t *text, const wchar_t *format, va_list list) {
    __selkie_note("swscanf: any value that fits the directive");
    for (size_t i = 0; text[i]; i++)
        continue;
    return wchar_scanf_any(format, list);
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

MODEL int wscanf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(stdin, format, list));
}

MODEL int fwscanf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(f, format, list));
}

MODEL int swscanf(const wchar_t *text, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_text(text, format, list));
}

MODEL int __isoc99_wscanf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(stdin, format, list));
}

MODEL int __isoc23_wscanf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(stdin, format, list));
}

MODEL int __isoc99_fwscanf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(f, format, list));
}

MODEL int __isoc23_fwscanf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(f, format, list));
}

MODEL int __isoc99_swscanf(const wchar_t *text, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_text(text, format, list));
}

MODEL int __isoc23_swscanf(const wchar_t *text, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_text(text, format, list));
}
