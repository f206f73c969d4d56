/* stdio_printf.c: printf and its relatives that write to streams. */
#include "format.h"
#include "stream.h"

static int stdio_printf_list(const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_format_write(NULL, 0, format, &arguments);
    va_end(arguments.list);
    return printed_count(count);
}

static int stdio_printf_to(struct stream *f, const char *format, va_list list) {
    int count = stdio_printf_list(format, list);
    return stream_accepts(f) ? count : -1;
}

MODEL int printf(const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_printf_list(format, list));
}

MODEL int vprintf(const char *format, va_list list) {
    return stdio_printf_list(format, list);
}

MODEL int fprintf(struct stream *f, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_printf_to(f, format, list));
}

MODEL int vfprintf(struct stream *f, const char *format, va_list list) {
    return stdio_printf_to(f, format, list);
}

MODEL int dprintf(int fd, const char *format, ...) {
    (void)fd;
    FORMAT_VARIADIC(format, stdio_printf_list(format, list));
}

MODEL int vdprintf(int fd, const char *format, va_list list) {
    (void)fd;
    return stdio_printf_list(format, list);
}

MODEL int __printf_chk(int flag, const char *format, ...) {
    (void)flag;
    FORMAT_VARIADIC(format, stdio_printf_list(format, list));
}

MODEL int __vprintf_chk(int flag, const char *format, va_list list) {
    (void)flag;
    return stdio_printf_list(format, list);
}

MODEL int __fprintf_chk(struct stream *f, int flag, const char *format, ...) {
    (void)flag;
    FORMAT_VARIADIC(format, stdio_printf_to(f, format, list));
}

MODEL int __vfprintf_chk(struct stream *f, int flag, const char *format, va_list list) {
    (void)flag;
    return stdio_printf_to(f, format, list);
}

MODEL int __dprintf_chk(int fd, int flag, const char *format, ...) {
    (void)fd, (void)flag;
    FORMAT_VARIADIC(format, stdio_printf_list(format, list));
}

MODEL int __vdprintf_chk(int fd, int flag, const char *format, va_list list) {
    (void)fd, (void)flag;
    return stdio_printf_list(format, list);
}
