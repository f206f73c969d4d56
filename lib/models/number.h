/* number.h: integers in text, for the strtol and the scanf families. */
#ifndef SELKIE_MODELS_NUMBER_H
#define SELKIE_MODELS_NUMBER_H

#include "text.h"

/* An integer as it stands in a text. */
struct number {
    const char *end;          /* Behind its last digit; the start of the text if there is none. */
    unsigned long long value; /* Its absolute value, modulo 2^64. */
    _Bool negative;           /* Is there a minus sign? */
    _Bool large;              /* Is it out of range? */
};

/* Reads white space, a sign, a prefix as the base allows it (0 detects it), and digits. `large` says that
 * the absolute value exceeds `limit`, or `negative_limit` behind a minus sign. `c23` allows 0b prefixes. */
static inline __attribute__((unused)) struct number number_read(const char *s, int base, unsigned long long limit,
                                                                unsigned long long negative_limit, _Bool c23) {
    struct number number = {s, 0, 0, 0};
    while (text_space(*s))
        s++;
    if (*s == '-' || *s == '+') {
        number.negative = *s == '-';
        s++;
    }
    if (s[0] == '0') {
        int letter = s[1] >= 'A' && s[1] <= 'Z' ? s[1] + 32 : s[1];
        if ((base == 0 || base == 16) && letter == 'x' && text_digit(s[2]) < 16) {
            base = 16;
            s += 2;
        } else if (c23 && (base == 0 || base == 2) && letter == 'b' && text_digit(s[2]) < 2) {
            base = 2;
            s += 2;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    if (number.negative)
        limit = negative_limit;
    /* By constants, where the base is one: no division of what is not known. */
    unsigned long long most = limit / (unsigned)base;
    unsigned last = (unsigned)(limit % (unsigned)base);
    for (unsigned digit; (digit = text_digit(*s)) < (unsigned)base; s++) {
        if (number.value > most || (number.value == most && digit > last))
            number.large = 1;
        number.value = number.value * base + digit;
        number.end = s + 1;
    }
    return number;
}

#endif
