/* syslog.c: messages to the system. */
#include "format.h"
#include "text.h"

MODEL void openlog(const char *name, int options, int facility) {
    (void)options, (void)facility;
    if (name)
        text_read(name);
}

MODEL void closelog(void) {}
MODEL int setlogmask(int mask) { return (void)mask, any_int(); }

MODEL void vsyslog(int priority, const char *format, va_list list) {
    (void)priority;
    struct arguments arguments;
    va_copy(arguments.list, list);
    __selkie_format_read(format, &arguments);
    va_end(arguments.list);
}

MODEL void syslog(int priority, const char *format, ...) {
    (void)priority;
    struct arguments arguments;
    va_start(arguments.list, format);
    __selkie_format_read(format, &arguments);
    va_end(arguments.list);
}
