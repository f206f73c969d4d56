/* stdio_sprintf.c: printf into memory. */
#include "format.h"
#include "system.h"
#include "text.h"

#define STDIO_SPRINTF_UNLIMITED ((size_t)-1)

static int stdio_sprintf_list(char *to, size_t limit, const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    int count = __selkie_format_write(to, limit, format, &arguments);
    va_end(arguments.list);
    return count;
}

/* Obligation: the text was shorter than the size that the compiler knows. */
static int stdio_sprintf_fits(int count, size_t size) {
    __selkie_check(count < 0 || (size_t)count < size, "deref", "sprintf: the destination has room for the text");
    return count;
}

/* Once to measure, once to write. Text that is chosen freely (floating-point numbers) may be chosen
 * shorter the second time, not longer. */
static int stdio_sprintf_new(char **result, const char *format, va_list list) {
    int count = stdio_sprintf_list(NULL, 0, format, list);
    char *text = count < 0 ? NULL : heap_new((size_t)count + 1);
    if (!text)
        return -1;
    int written = stdio_sprintf_list(text, (size_t)count + 1, format, list);
    sk_assume(written == count);
    *result = text;
    return count;
}

MODEL int sprintf(char *to, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_sprintf_list(to, STDIO_SPRINTF_UNLIMITED, format, list));
}

MODEL int vsprintf(char *to, const char *format, va_list list) {
    return stdio_sprintf_list(to, STDIO_SPRINTF_UNLIMITED, format, list);
}

MODEL int snprintf(char *to, size_t limit, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_sprintf_list(to, limit, format, list));
}

MODEL int vsnprintf(char *to, size_t limit, const char *format, va_list list) {
    return stdio_sprintf_list(to, limit, format, list);
}

MODEL int asprintf(char **result, const char *format, ...) {
    FORMAT_VARIADIC(format, stdio_sprintf_new(result, format, list));
}

MODEL int vasprintf(char **result, const char *format, va_list list) {
    return stdio_sprintf_new(result, format, list);
}

MODEL int __sprintf_chk(char *to, int flag, size_t size, const char *format, ...) {
    (void)flag;
    FORMAT_VARIADIC(format, stdio_sprintf_fits(stdio_sprintf_list(to, STDIO_SPRINTF_UNLIMITED, format, list), size));
}

MODEL int __vsprintf_chk(char *to, int flag, size_t size, const char *format, va_list list) {
    (void)flag;
    return stdio_sprintf_fits(stdio_sprintf_list(to, STDIO_SPRINTF_UNLIMITED, format, list), size);
}

MODEL int __snprintf_chk(char *to, size_t limit, int flag, size_t size, const char *format, ...) {
    (void)flag;
    system_fits(limit, size);
    FORMAT_VARIADIC(format, stdio_sprintf_list(to, limit, format, list));
}

MODEL int __vsnprintf_chk(char *to, size_t limit, int flag, size_t size, const char *format, va_list list) {
    (void)flag;
    system_fits(limit, size);
    return stdio_sprintf_list(to, limit, format, list);
}

MODEL int __asprintf_chk(char **result, int flag, const char *format, ...) {
    (void)flag;
    FORMAT_VARIADIC(format, stdio_sprintf_new(result, format, list));
}

MODEL int __vasprintf_chk(char **result, int flag, const char *format, va_list list) {
    (void)flag;
    return stdio_sprintf_new(result, format, list);
}
