/* math_nan.c: NaNs with the payload that a string names, as in glibc: a number in C's notation. */
#include "number.h"

static unsigned long long math_nan_payload(const char *tag) {
    const char *end = tag;
    while (text_digit(*end) < 36 || *end == '_')
        end++;
    if (*end)
        return 0;
    struct number number = number_read(tag, 0, -1ULL, -1ULL, 0);
    if (number.end != end)
        return 0;
    return number.large ? -1ULL : number.value;
}

MODEL double nan(const char *tag) {
    union {
        unsigned long long bits;
        double value;
    } u = {0x7ff8000000000000ULL | (math_nan_payload(tag) & 0x7ffffffffffffULL)};
    return u.value;
}

MODEL float nanf(const char *tag) {
    union {
        unsigned bits;
        float value;
    } u = {0x7fc00000U | ((unsigned)math_nan_payload(tag) & 0x3fffffU)};
    return u.value;
}

MODEL long double nanl(const char *tag) {
    union {
        struct {
            unsigned long long significand;
            unsigned short exponent;
        } bits;
        long double value;
    } u = {{0xc000000000000000ULL | (math_nan_payload(tag) & 0x3fffffffffffffffULL), 0x7fff}};
    return u.value;
}
