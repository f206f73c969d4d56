/* string_version.c: strverscmp. Numbers in strings compare by their values: "jan9" is before "jan10". */
#include "text.h"

static _Bool string_version_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The strings differ at `i`, and `number` is where the digits before that begin. Digits that begin with a zero are
 * a fraction: they compare as bytes, and after zeros only, the string with a further digit is the smaller one. Other
 * numbers are the larger, the longer they are. */
static int string_version_order(const char *left, const char *right, size_t number, size_t i) {
    int difference = (unsigned char)left[i] - (unsigned char)right[i];
    _Bool a = string_version_digit(left[i]), b = string_version_digit(right[i]);
    if (number == i) {
        if (!a || !b || left[i] == '0' || right[i] == '0')
            return difference;
    } else if (left[number] == '0') {
        size_t k = number;
        while (k < i && left[k] == '0')
            k++;
        return k < i || a == b ? difference : a ? -1 : 1;
    }
    while (string_version_digit(left[i]) && string_version_digit(right[i]))
        i++;
    if (string_version_digit(left[i]))
        return 1;
    return string_version_digit(right[i]) ? -1 : difference;
}

MODEL int strverscmp(const char *left, const char *right) {
    size_t number = 0, i = 0;
    for (; left[i] && left[i] == right[i]; i++)
        if (!string_version_digit(left[i]))
            number = i + 1;
    return string_version_order(left, right, number, i);
}
