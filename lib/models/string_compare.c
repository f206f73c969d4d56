/* string_compare.c: comparing strings, bytes as unsigned. The result is the difference of the
 * first bytes that differ, as in glibc; the standard promises its sign only. */
#include "text.h"

MODEL int strcmp(const char *left, const char *right) {
    size_t i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

MODEL int strcoll(const char *left, const char *right) {
    size_t i = 0;
    while (left[i] && left[i] == right[i])
        i++;
    return (unsigned char)left[i] - (unsigned char)right[i];
}

MODEL int strncmp(const char *left, const char *right, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char a = left[i], b = right[i];
        if (!a || a != b)
            return a - b;
    }
    return 0;
}

MODEL int strcasecmp(const char *left, const char *right) {
    for (size_t i = 0;; i++) {
        int a = text_lower((unsigned char)left[i]), b = text_lower((unsigned char)right[i]);
        if (!a || a != b)
            return a - b;
    }
}

MODEL int strncasecmp(const char *left, const char *right, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int a = text_lower((unsigned char)left[i]), b = text_lower((unsigned char)right[i]);
        if (!a || a != b)
            return a - b;
    }
    return 0;
}
