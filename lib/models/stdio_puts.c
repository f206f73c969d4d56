/* stdio_puts.c: writing to the standard streams. */
#include "system.h"
#include "text.h"

MODEL int putchar(int c) {
    return any_bool() ? (unsigned char)c : system_failed();
}

MODEL int putchar_unlocked(int c) {
    return any_bool() ? (unsigned char)c : system_failed();
}

MODEL int puts(const char *s) {
    text_read(s);
    return any_bool() ? rough_int_in(0, 2147483647) : system_failed();
}

MODEL void perror(const char *s) {
    if (s)
        text_read(s);
}
