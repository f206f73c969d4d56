/* stdio_puts.c: writing to the standard streams. */
#include "text.h"

MODEL int putchar(int c) {
    return any_bool() ? (unsigned char)c : EOF;
}

MODEL int putchar_unlocked(int c) {
    return any_bool() ? (unsigned char)c : EOF;
}

MODEL int puts(const char *s) {
    text_read(s);
    return any_int_in(-1, 2147483647);
}

MODEL void perror(const char *s) {
    if (s)
        text_read(s);
}
