/* wchar_scanf.c: the scanf family with formats of wide characters. */
#include "scan.h"
#include "stream.h"

static int wchar_scanf_from(struct stream *f, const wchar_t *format, va_list list) {
    struct arguments arguments;
    stream_check(f);
    if (f->at_end && !f->pushed)
        return EOF;
    /* What is known of the input does not count: a violation may not rest on it. */
    if ((f->pushed || f->rough) && rough_bool())
        return 0;
    f->pushed = 0;
    f->place = STREAM_SOMEWHERE;
    va_copy(arguments.list, list);
    int count = __selkie_scan_any_wide(format, &arguments);
    va_end(arguments.list);
    if (count == EOF)
        stream_stop(f);
    else if (any_bool())
        f->at_end = 1;
    return count;
}

static int wchar_scanf_text(const wchar_t *text, const wchar_t *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_scan_text_wide(text, format, &arguments);
    va_end(arguments.list);
    return count;
}

MODEL int wscanf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(stdin, format, list));
}

MODEL int vwscanf(const wchar_t *format, va_list list) {
    return wchar_scanf_from(stdin, format, list);
}

MODEL int fwscanf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(f, format, list));
}

MODEL int vfwscanf(struct stream *f, const wchar_t *format, va_list list) {
    return wchar_scanf_from(f, format, list);
}

MODEL int swscanf(const wchar_t *text, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_text(text, format, list));
}

MODEL int vswscanf(const wchar_t *text, const wchar_t *format, va_list list) {
    return wchar_scanf_text(text, format, list);
}

MODEL int __isoc99_wscanf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(stdin, format, list));
}

MODEL int __isoc99_vwscanf(const wchar_t *format, va_list list) {
    return wchar_scanf_from(stdin, format, list);
}

MODEL int __isoc99_fwscanf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(f, format, list));
}

MODEL int __isoc99_vfwscanf(struct stream *f, const wchar_t *format, va_list list) {
    return wchar_scanf_from(f, format, list);
}

MODEL int __isoc99_swscanf(const wchar_t *text, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_text(text, format, list));
}

MODEL int __isoc99_vswscanf(const wchar_t *text, const wchar_t *format, va_list list) {
    return wchar_scanf_text(text, format, list);
}

MODEL int __isoc23_wscanf(const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(stdin, format, list));
}

MODEL int __isoc23_vwscanf(const wchar_t *format, va_list list) {
    return wchar_scanf_from(stdin, format, list);
}

MODEL int __isoc23_fwscanf(struct stream *f, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_from(f, format, list));
}

MODEL int __isoc23_vfwscanf(struct stream *f, const wchar_t *format, va_list list) {
    return wchar_scanf_from(f, format, list);
}

MODEL int __isoc23_swscanf(const wchar_t *text, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_scanf_text(text, format, list));
}

MODEL int __isoc23_vswscanf(const wchar_t *text, const wchar_t *format, va_list list) {
    return wchar_scanf_text(text, format, list);
}
