/* wchar_sprintf.c: printf into arrays of wide characters. What does not fit is an error. */
#include "format.h"
#include "system.h"

static int wchar_sprintf_list(wchar_t *to, size_t limit, const wchar_t *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_format_write_wide(to, limit, format, &arguments);
    va_end(arguments.list);
    return count < 0 || (size_t)count >= limit ? -1 : count;
}

MODEL int swprintf(wchar_t *to, size_t limit, const wchar_t *format, ...) {
    FORMAT_VARIADIC(format, wchar_sprintf_list(to, limit, format, list));
}

MODEL int vswprintf(wchar_t *to, size_t limit, const wchar_t *format, va_list list) {
    return wchar_sprintf_list(to, limit, format, list);
}

MODEL int __swprintf_chk(wchar_t *to, size_t limit, int flag, size_t size, const wchar_t *format, ...) {
    (void)flag;
    system_fits(limit, size);
    FORMAT_VARIADIC(format, wchar_sprintf_list(to, limit, format, list));
}

MODEL int __vswprintf_chk(wchar_t *to, size_t limit, int flag, size_t size, const wchar_t *format, va_list list) {
    (void)flag;
    system_fits(limit, size);
    return wchar_sprintf_list(to, limit, format, list);
}
