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
    int result = any_int();
    return result >= 0 ? result : system_failed();
}

MODEL void perror(const char *s) {
    if (s)
        text_read(s);
}
