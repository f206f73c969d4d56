/* string_search.c: looking for a string in a string. The obvious algorithm: it reads no byte that
 * another one would not. */
#include "text.h"

MODEL char *strstr(const char *s, const char *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && s[i] == part[i])
            i++;
        if (!part[i])
            return (char *)s;
        if (!s[i])
            return NULL;
    }
}

MODEL char *strcasestr(const char *s, const char *part) {
    for (;; s++) {
        size_t i = 0;
        while (part[i] && text_lower((unsigned char)s[i]) == text_lower((unsigned char)part[i]))
            i++;
        if (!part[i])
            return (char *)s;
        if (!s[i])
            return NULL;
    }
}

MODEL char *strnstr(const char *s, const char *part, size_t n) {
    for (size_t start = 0; start <= n; start++) {
        size_t i = 0;
        while (part[i] && start + i < n && s[start + i] && s[start + i] == part[i])
            i++;
        if (!part[i])
            return (char *)s + start;
        if (start + i >= n || !s[start + i])
            return NULL;
    }
    return NULL;
}

MODEL void *memmem(const void *bytes, size_t n, const void *part, size_t m) {
    const char *s = bytes;
    const char *p = part;
    check_read(s, n, "memmem: the bytes are readable");
    check_read(p, m, "memmem: the pattern is readable");
    for (size_t start = 0; m <= n && start <= n - m; start++) {
        size_t i = 0;
        while (i < m && s[start + i] == p[i])
            i++;
        if (i == m)
            return (char *)s + start;
    }
    return NULL;
}
