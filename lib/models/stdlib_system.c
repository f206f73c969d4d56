/* stdlib_system.c: other programs, and names of files. */
#include "system.h"
#include "text.h"

MODEL int system(const char *command) {
    if (command)
        text_read(command);
    return any_int();
}

/* Replaces the six last characters of the template. */
static _Bool stdlib_system_name(char *template) {
    size_t n = text_length(template);
    if (n < 6 || any_bool()) {
        errno = EINVAL;
        return 0;
    }
    for (size_t i = n - 6; i < n; i++) {
        char c = any_char();
        sk_assume((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
        template[i] = c;
    }
    return 1;
}

MODEL int mkstemp(char *template) {
    return stdlib_system_name(template) ? system_descriptor() : -1;
}

MODEL char *mktemp(char *template) {
    if (!stdlib_system_name(template))
        template[0] = 0;
    return template;
}

MODEL char *mkdtemp(char *template) {
    return stdlib_system_name(template) ? template : NULL;
}

/* Up to 4095 characters, in the caller's array or in a new heap object. */
MODEL char *realpath(const char *path, char *to) {
    text_read(path);
    if (system_status() != 0)
        return NULL;
    if (!to)
        to = heap_new(4096);
    if (!to)
        return NULL;
    check_write(to, 4096, "realpath: the array has 4096 bytes");
    size_t n = any_size();
    sk_assume(n >= 1 && n < 4096);
    __selkie_havoc(to, n);
    to[0] = '/';
    to[n] = 0;
    return to;
}
