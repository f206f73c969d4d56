/* err.c: messages on standard error, with or without the end of the program. */
#include "format.h"

void exit(int status) __attribute__((noreturn));

static void err_message(const char *format, va_list list) {
    struct arguments arguments;
    if (!format)
        return;
    va_copy(arguments.list, list);
    __selkie_format_read(format, &arguments);
    va_end(arguments.list);
}

#define ERR_WITH_LIST(last) \
    va_list list; \
    va_start(list, last); \
    err_message(format, list); \
    va_end(list)

MODEL void warn(const char *format, ...) { ERR_WITH_LIST(format); }
MODEL void warnx(const char *format, ...) { ERR_WITH_LIST(format); }
MODEL void vwarn(const char *format, va_list list) { err_message(format, list); }
MODEL void vwarnx(const char *format, va_list list) { err_message(format, list); }

MODEL void err(int status, const char *format, ...) {
    ERR_WITH_LIST(format);
    exit(status);
}

MODEL void errx(int status, const char *format, ...) {
    ERR_WITH_LIST(format);
    exit(status);
}

MODEL void verr(int status, const char *format, va_list list) {
    err_message(format, list);
    exit(status);
}

MODEL void verrx(int status, const char *format, va_list list) {
    err_message(format, list);
    exit(status);
}

/* Of glibc; returns if the status is 0. */
MODEL void error(int status, int number, const char *format, ...) {
    (void)number;
    ERR_WITH_LIST(format);
    if (status != 0)
        exit(status);
}
