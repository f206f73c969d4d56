/* math_long.c: exponents and significands of long doubles, exactly; see math_scale.c. They have 64 digits, the first of
 * which is written, and exponents from -16382 to 16383. */
#include <selkie/model.h>

union math_long {
    long double value;
    struct {
        unsigned long long significand;
        unsigned short exponent; /* With the sign above it. */
    } bits;
};

#define MATH_LONG_FIRST 0x8000000000000000ULL
#define MATH_LONG_EXPONENT(u) ((u).bits.exponent & 0x7fff)
#define math_long_infinite __builtin_infl()

static long double math_long_scale(long double x, long n) {
    const long double up = 0x1p16383L, down = 0x1p-16318L;
    for (int i = 0; i < 2 && n > 16383; i++, n -= 16383)
        x *= up;
    for (int i = 0; i < 2 && n < -16382; i++, n += 16318)
        x *= down;
    n = n > 16383 ? 16383 : n < -16382 ? -16382 : n;
    union math_long power = {.bits = {MATH_LONG_FIRST, (unsigned short)(n + 16383)}};
    return x * power.value;
}

MODEL long double ldexpl(long double x, int n) { return math_long_scale(x, n); }
MODEL long double scalbnl(long double x, int n) { return math_long_scale(x, n); }
MODEL long double scalblnl(long double x, long n) { return math_long_scale(x, n); }

MODEL long double frexpl(long double x, int *exponent) {
    union math_long u = {x};
    *exponent = 0;
    if (x == 0 || !(__builtin_fabsl(x) < math_long_infinite))
        return x;
    if (MATH_LONG_EXPONENT(u) == 0) {
        u.value *= 0x1p64L;
        *exponent = -64;
    }
    *exponent += MATH_LONG_EXPONENT(u) - 16382;
    u.bits.exponent = (u.bits.exponent & 0x8000) | 16382;
    return u.value;
}

/* The exponent; x is neither 0 nor infinite nor a NaN. */
static int math_long_exponent(long double x) {
    union math_long u = {x};
    if (MATH_LONG_EXPONENT(u) != 0)
        return MATH_LONG_EXPONENT(u) - 16383;
    u.value *= 0x1p64L;
    return MATH_LONG_EXPONENT(u) - 16383 - 64;
}

MODEL int ilogbl(long double x) {
    if (x == 0 || x != x)
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    return math_long_exponent(x);
}

MODEL long double logbl(long double x) {
    if (x == 0)
        return -math_long_infinite;
    if (!(__builtin_fabsl(x) < math_long_infinite))
        return x * x;
    return math_long_exponent(x);
}

static long double math_long_next(long double x, long double y) {
    union math_long u = {x};
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return y > 0 ? 0x1p-16445L : -0x1p-16445L;
    if ((x < y) == (x > 0)) {
        u.bits.significand++;
        if (u.bits.significand == 0) {
            u.bits.significand = MATH_LONG_FIRST;
            u.bits.exponent++;
        } else if (u.bits.significand == MATH_LONG_FIRST && MATH_LONG_EXPONENT(u) == 0) {
            u.bits.exponent++;
        }
    } else {
        /* Below the smallest number of an exponent come those of the next one, all digits 1. */
        _Bool smallest = u.bits.significand == MATH_LONG_FIRST || u.bits.significand == 0;
        u.bits.significand--;
        if (smallest && MATH_LONG_EXPONENT(u) != 0) {
            u.bits.exponent--;
            if (MATH_LONG_EXPONENT(u) != 0)
                u.bits.significand = -1ULL;
        }
    }
    return u.value;
}

MODEL long double nextafterl(long double x, long double y) { return math_long_next(x, y); }
MODEL long double nexttowardl(long double x, long double y) { return math_long_next(x, y); }
