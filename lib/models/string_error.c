/* string_error.c: messages for error numbers: terminated strings of up to 63 characters. The texts are the platform's business, and
 * always the same for a number: no violation rests on them. */
#include <selkie/model.h>

#define STRING_ERROR_SIZE 64
static char string_error__shared_text[STRING_ERROR_SIZE];

static char *string_error_any(void) {
    rough_bytes(string_error__shared_text, STRING_ERROR_SIZE - 1);
    sk_assume(string_error__shared_text[0] != 0);
    string_error__shared_text[STRING_ERROR_SIZE - 1] = 0;
    return string_error__shared_text;
}

MODEL char *strerror(int number) {
    (void)number;
    return string_error_any();
}

MODEL char *strsignal(int number) {
    (void)number;
    return string_error_any();
}

/* The XSI one: 0, or an error number if the message does not fit. */
static int string_error_copy(char *buffer, size_t n) {
    check_write(buffer, n, "strerror_r: the buffer is writable");
    if (n == 0)
        return ERANGE;
    for (size_t i = 0; i < STRING_ERROR_SIZE - 1; i++)
        if (i < n - 1)
            buffer[i] = rough_char();
    buffer[n < STRING_ERROR_SIZE ? n - 1 : STRING_ERROR_SIZE - 1] = 0;
    return rough_bool() ? 0 : rough_bool() ? EINVAL : ERANGE;
}

MODEL int __xpg_strerror_r(int number, char *buffer, size_t n) {
    (void)number;
    return string_error_copy(buffer, n);
}

/* The GNU one: the message, in the buffer or elsewhere. */
MODEL char *strerror_r(int number, char *buffer, size_t n) {
    (void)number;
    if (n == 0 || rough_bool())
        return string_error_any();
    string_error_copy(buffer, n);
    return buffer;
}
