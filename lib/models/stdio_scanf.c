/* stdio_scanf.c: scanf and its relatives that read from streams. */
#include "scan.h"
#include "stream.h"

static int stdio_scanf_from(struct stream *f, const char *format, va_list list) {
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
    int count = __selkie_scan_any(format, &arguments);
    va_end(arguments.list);
    if (count == EOF)
        stream_stop(f);
    else if (any_bool())
        f->at_end = 1;
    return count;
}

MODEL int scanf(const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_scanf_from(stdin, format, list));
}

MODEL int fscanf(struct stream *f, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_scanf_from(f, format, list));
}

MODEL int vscanf(const char *format, va_list list) {
    return stdio_scanf_from(stdin, format, list);
}

MODEL int vfscanf(struct stream *f, const char *format, va_list list) {
    return stdio_scanf_from(f, format, list);
}

MODEL int __isoc99_scanf(const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_scanf_from(stdin, format, list));
}

MODEL int __isoc23_scanf(const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_scanf_from(stdin, format, list));
}

MODEL int __isoc99_fscanf(struct stream *f, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_scanf_from(f, format, list));
}

MODEL int __isoc23_fscanf(struct stream *f, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_scanf_from(f, format, list));
}

MODEL int __isoc99_vscanf(const char *format, va_list list) {
    return stdio_scanf_from(stdin, format, list);
}

MODEL int __isoc23_vscanf(const char *format, va_list list) {
    return stdio_scanf_from(stdin, format, list);
}

MODEL int __isoc99_vfscanf(struct stream *f, const char *format, va_list list) {
    return stdio_scanf_from(f, format, list);
}

MODEL int __isoc23_vfscanf(struct stream *f, const char *format, va_list list) {
    return stdio_scanf_from(f, format, list);
}
