/* syslog.c: messages to the system. */
#include "format.h"
#include "text.h"

MODEL void openlog(const char *name, int options, int facility) {
    (void)options, (void)facility;
    if (name)
        text_read(name);
}

MODEL void closelog(void) {}

/* Yields the mask before; 0 asks for it. */
MODEL int setlogmask(int mask) {
    static int now = 0xff;
    int before = now;
    if (mask != 0)
        now = mask;
    return before;
}

static void syslog_message(const char *format, va_list list) {
    struct arguments arguments;
    va_copy(arguments.list, list);
    __selkie_format_read(format, &arguments);
    va_end(arguments.list);
}

MODEL void vsyslog(int priority, const char *format, va_list list) {
    (void)priority;
    syslog_message(format, list);
}

MODEL void __vsyslog_chk(int priority, int flag, const char *format, va_list list) {
    (void)priority, (void)flag;
    syslog_message(format, list);
}

#define SYSLOG_VARIADIC \
    va_list list; \
    va_start(list, format); \
    syslog_message(format, list); \
    va_end(list)

MODEL void syslog(int priority, const char *format, ...) {
    (void)priority;
    SYSLOG_VARIADIC;
}

MODEL void __syslog_chk(int priority, int flag, const char *format, ...) {
    (void)priority, (void)flag;
    SYSLOG_VARIADIC;
}
