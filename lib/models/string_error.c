/* string_error.c: messages for error numbers. Any terminated string; the texts are the
 * platform's business. */
#include <selkie/model.h>

#define STRING_ERROR_SIZE 64
static char string_error_text[STRING_ERROR_SIZE];

static char *string_error_any(void) {
    __selkie_havoc(string_error_text, STRING_ERROR_SIZE - 1);
    string_error_text[STRING_ERROR_SIZE - 1] = 0;
    return string_error_text;
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
    __selkie_havoc(buffer, n - 1);
    buffer[n - 1] = 0;
    return any_bool() ? 0 : any_bool() ? EINVAL : ERANGE;
}

MODEL int __xpg_strerror_r(int number, char *buffer, size_t n) {
    (void)number;
    return string_error_copy(buffer, n);
}

/* The GNU one: the message, in the buffer or elsewhere. */
MODEL char *strerror_r(int number, char *buffer, size_t n) {
    (void)number;
    if (n == 0 || any_bool())
        return string_error_any();
    string_error_copy(buffer, n);
    return buffer;
}
