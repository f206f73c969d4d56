/* string_length.c: strlen and strnlen. */
#include "text.h"

MODEL size_t strlen(const char *s) {
    return text_length(s);
}

MODEL size_t strnlen(const char *s, size_t limit) {
    return text_length_up_to(s, limit);
}
