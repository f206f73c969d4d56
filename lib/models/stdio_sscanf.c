/* stdio_sscanf.c: scanf over strings. */
#include "scan.h"

static int stdio_sscanf_list(const char *text, const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_scan_text(text, format, &arguments);
    va_end(arguments.list);
    return count;
}

MODEL int sscanf(const char *text, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_sscanf_list(text, format, list));
}

MODEL int vsscanf(const char *text, const char *format, va_list list) {
    return stdio_sscanf_list(text, format, list);
}

MODEL int __isoc99_sscanf(const char *text, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_sscanf_list(text, format, list));
}

MODEL int __isoc23_sscanf(const char *text, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_sscanf_list(text, format, list));
}

MODEL int __isoc99_vsscanf(const char *text, const char *format, va_list list) {
    return stdio_sscanf_list(text, format, list);
}

MODEL int __isoc23_vsscanf(const char *text, const char *format, va_list list) {
    return stdio_sscanf_list(text, format, list);
}
