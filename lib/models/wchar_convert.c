/* wchar_convert.c: between bytes and wide characters, in the C locale: ASCII only. */
#include <selkie/model.h>

#define WCHAR_CONVERT_ILLEGAL 84
#define WCHAR_CONVERT_FAILED ((size_t)-1)

static size_t wchar_convert_fail(void) {
    errno = WCHAR_CONVERT_ILLEGAL;
    return WCHAR_CONVERT_FAILED;
}

MODEL size_t mbstowcs(wchar_t *to, const char *from, size_t n) {
    size_t i = 0;
    for (; !to || i < n; i++) {
        unsigned char c = from[i];
        if (c > 127)
            return wchar_convert_fail();
        if (to)
            to[i] = c;
        if (!c)
            break;
    }
    return i;
}

MODEL size_t wcstombs(char *to, const wchar_t *from, size_t n) {
    size_t i = 0;
    for (; !to || i < n; i++) {
        wchar_t c = from[i];
        if (c < 0 || c > 127)
            return wchar_convert_fail();
        if (to)
            to[i] = (char)c;
        if (!c)
            break;
    }
    return i;
}

MODEL int mbtowc(wchar_t *to, const char *from, size_t n) {
    if (!from)
        return 0;
    if (n == 0)
        return -1;
    unsigned char c = *from;
    if (c > 127)
        return (int)wchar_convert_fail();
    if (to)
        *to = c;
    return c != 0;
}

MODEL int mblen(const char *from, size_t n) {
    if (!from)
        return 0;
    if (n == 0)
        return -1;
    unsigned char c = *from;
    return c > 127 ? (int)wchar_convert_fail() : c != 0;
}

MODEL int wctomb(char *to, wchar_t c) {
    if (!to)
        return 0;
    if (c < 0 || c > 127)
        return (int)wchar_convert_fail();
    *to = (char)c;
    return 1;
}

MODEL wint_t btowc(int c) {
    return c >= 0 && c <= 127 ? (wint_t)c : (wint_t)-1;
}

MODEL int wctob(wint_t c) {
    return c <= 127 ? (int)c : EOF;
}
