/* decimal.h: floating-point numbers in text, for the strtod and the scanf families. What is read, and
 * where it ends, is exact; the value is exact for decimal numbers that a double's arithmetic can make without a
 * rounding error (at most 15 digits, a power of ten up to 22), and any value of the right sign otherwise. */
#ifndef SELKIE_MODELS_DECIMAL_H
#define SELKIE_MODELS_DECIMAL_H

#include "text.h"

static const __attribute__((unused)) double decimal_tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A number as it stands in a text. */
struct decimal {
    const char *end;          /* Behind it; the start of the text if there is none. */
    unsigned long long value; /* All digits. */
    int power;                /* Of ten. */
    enum { DECIMAL, SPECIAL_INF, SPECIAL_NAN, OTHER } kind;
    _Bool negative;
};

static inline __attribute__((unused)) const char *decimal_word(const char *s, const char *word) {
    for (; *word; s++, word++)
        if (text_lower((unsigned char)*s) != *word)
            return NULL;
    return s;
}

/* Digits in base 10 or 16 with a point; sets the end if there is one digit at least. */
static inline __attribute__((unused)) const char *decimal_digits(const char *s, unsigned base, struct decimal *number) {
    _Bool point = 0;
    unsigned significant = 0;
    for (;; s++) {
        unsigned digit = text_digit(*s);
        if (digit < base) {
            if (number->value != 0 || digit != 0)
                significant++;
            if (significant > 15)
                number->kind = OTHER;
            number->value = number->value * base + digit;
            if (point)
                number->power--;
            number->end = s + 1;
        } else if (*s == '.' && !point) {
            point = 1;
            if (number->end == s)
                number->end = s + 1;
        } else {
            return s;
        }
    }
}

/* The exponent behind the letter `mark`, if there is one. */
static inline __attribute__((unused)) void decimal_exponent(struct decimal *number, int mark) {
    const char *s = number->end;
    if (text_lower((unsigned char)*s) != mark)
        return;
    s++;
    _Bool negative = *s == '-';
    if (*s == '-' || *s == '+')
        s++;
    int exponent = 0;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (exponent < 100000)
            exponent = exponent * 10 + (*s - '0');
        number->end = s + 1;
    }
    number->power += negative ? -exponent : exponent;
}

static inline __attribute__((unused)) struct decimal decimal_read(const char *s) {
    struct decimal number = {s, 0, 0, DECIMAL, 0};
    const char *start = s;
    while (text_space(*s))
        s++;
    if (*s == '-' || *s == '+') {
        number.negative = *s == '-';
        s++;
    }
    const char *word;
    if ((word = decimal_word(s, "inf"))) {
        const char *rest = decimal_word(word, "inity");
        number.end = rest ? rest : word;
        number.kind = SPECIAL_INF;
        return number;
    }
    if ((word = decimal_word(s, "nan"))) {
        number.end = word;
        number.kind = SPECIAL_NAN;
        if (*word == '(') {
            word++;
            while (text_digit(*word) < 36 || *word == '_')
                word++;
            if (*word == ')')
                number.end = word + 1;
        }
        return number;
    }
    if (s[0] == '0' && text_lower((unsigned char)s[1]) == 'x' &&
        (text_digit(s[2]) < 16 || (s[2] == '.' && text_digit(s[3]) < 16))) {
        decimal_digits(s + 2, 16, &number);
        number.kind = OTHER;
        decimal_exponent(&number, 'p');
        return number;
    }
    if (text_digit(s[0]) < 10 || (s[0] == '.' && text_digit(s[1]) < 10)) {
        decimal_digits(s, 10, &number);
        decimal_exponent(&number, 'e');
    }
    if (number.end == start)
        number.negative = 0;
    return number;
}

static inline __attribute__((unused)) double decimal_value(const struct decimal *number) {
    double value;
    if (number->kind == SPECIAL_INF) {
        value = __builtin_inf();
    } else if (number->kind == SPECIAL_NAN) {
        value = __builtin_nan("");
    } else if (number->kind == DECIMAL && number->value == 0) {
        value = 0;
    } else if (number->kind == DECIMAL && number->power >= -22 && number->power <= 22) {
        value = (double)number->value;
        if (number->power < 0)
            value /= decimal_tens[-number->power];
        else
            value *= decimal_tens[number->power];
    } else {
        value = any_double();
        sk_assume(value >= 0);
        if (any_bool())
            errno = ERANGE;
    }
    return number->negative ? -value : value;
}

/* A float, rounded once: made of at most 7 digits and a power of ten up to 10. */
static inline __attribute__((unused)) float decimal_value_float(struct decimal *number) {
    if (number->kind == DECIMAL && number->value != 0) {
        if (number->value > 9999999 || number->power < -10 || number->power > 10) {
            number->kind = OTHER;
        } else {
            float value = (float)number->value;
            if (number->power < 0)
                value /= (float)decimal_tens[-number->power];
            else
                value *= (float)decimal_tens[number->power];
            return number->negative ? -value : value;
        }
    }
    return (float)decimal_value(number);
}

static inline __attribute__((unused)) long double decimal_value_long(struct decimal *number) {
    if (number->kind == DECIMAL && number->power >= -22 && number->power <= 22) {
        long double value = (long double)number->value;
        if (number->power < 0)
            value /= (long double)decimal_tens[-number->power];
        else
            value *= (long double)decimal_tens[number->power];
        return number->negative ? -value : value;
    }
    if (number->kind == DECIMAL && number->value != 0)
        number->kind = OTHER;
    if (number->kind == OTHER) {
        long double value = any_longdouble();
        sk_assume(value >= 0);
        return number->negative ? -value : value;
    }
    return decimal_value(number);
}

#endif
