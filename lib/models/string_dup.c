/* string_dup.c: copies of strings in new heap objects. */
#include "text.h"

static char *string_dup_bytes(const char *s, size_t n) {
    char *copy = heap_new(n + 1);
    if (!copy) {
        errno = ENOMEM;
        return NULL;
    }
    __selkie_memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

MODEL char *strdup(const char *s) {
    return string_dup_bytes(s, text_length(s));
}

MODEL char *__strdup(const char *s) {
    return string_dup_bytes(s, text_length(s));
}

MODEL char *strndup(const char *s, size_t limit) {
    return string_dup_bytes(s, text_length_up_to(s, limit));
}

MODEL char *__strndup(const char *s, size_t limit) {
    return string_dup_bytes(s, text_length_up_to(s, limit));
}
