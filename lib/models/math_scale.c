/* math_scale.c: exponents and significands, exactly. */
#include <selkie/model.h>

union math_scale_double {
    double value;
    unsigned long long bits;
};

union math_scale_float {
    float value;
    unsigned bits;
};

/* x * 2^n, rounded once: steps that could round are taken last. A double's exponents go from -1022 to 1023,
 * its subnormal numbers end 52 below. */
static double math_scale_by(double x, int n) {
    const double up = 0x1p1023, down = 0x1p-969;
    for (int i = 0; i < 2 && n > 1023; i++, n -= 1023)
        x *= up;
    for (int i = 0; i < 2 && n < -1022; i++, n += 969)
        x *= down;
    n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
    union math_scale_double power = {.bits = (unsigned long long)(n + 1023) << 52};
    return x * power.value;
}

/* The same: -126 to 127, 23 below. */
static float math_scale_by_float(float x, int n) {
    const float up = 0x1p127f, down = 0x1p-102f;
    for (int i = 0; i < 2 && n > 127; i++, n -= 127)
        x *= up;
    for (int i = 0; i < 2 && n < -126; i++, n += 102)
        x *= down;
    n = n > 127 ? 127 : n < -126 ? -126 : n;
    union math_scale_float power = {.bits = (unsigned)(n + 127) << 23};
    return x * power.value;
}

static int math_scale_clamp(long n) {
    return n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n;
}

MODEL double ldexp(double x, int n) { return math_scale_by(x, n); }
MODEL double scalbn(double x, int n) { return math_scale_by(x, n); }
MODEL double scalbln(double x, long n) { return math_scale_by(x, math_scale_clamp(n)); }
MODEL float ldexpf(float x, int n) { return math_scale_by_float(x, n); }
MODEL float scalbnf(float x, int n) { return math_scale_by_float(x, n); }
MODEL float scalblnf(float x, long n) { return math_scale_by_float(x, math_scale_clamp(n)); }

/* A significand of absolute value in [0.5, 1) and an exponent; 0, infinities and NaNs stay. */
MODEL double frexp(double x, int *exponent) {
    union math_scale_double u = {x};
    *exponent = 0;
    if (x == 0 || !(__builtin_fabs(x) < __builtin_inf()))
        return x;
    if ((u.bits >> 52 & 0x7ff) == 0) {
        u.value *= 0x1p64;
        *exponent = -64;
    }
    *exponent += (int)(u.bits >> 52 & 0x7ff) - 1022;
    u.bits = (u.bits & 0x800fffffffffffffULL) | 0x3fe0000000000000ULL;
    return u.value;
}

MODEL float frexpf(float x, int *exponent) {
    union math_scale_float u = {x};
    *exponent = 0;
    if (x == 0 || !(__builtin_fabsf(x) < __builtin_inff()))
        return x;
    if ((u.bits >> 23 & 0xff) == 0) {
        u.value *= 0x1p64f;
        *exponent = -64;
    }
    *exponent += (int)(u.bits >> 23 & 0xff) - 126;
    u.bits = (u.bits & 0x807fffffU) | 0x3f000000U;
    return u.value;
}

/* The exponent; x is neither 0 nor infinite nor a NaN. */
static int math_scale_exponent(double x) {
    union math_scale_double u = {x};
    int bias = 1023;
    if ((u.bits >> 52 & 0x7ff) == 0) {
        u.value *= 0x1p64;
        bias += 64;
    }
    return (int)(u.bits >> 52 & 0x7ff) - bias;
}

MODEL int ilogb(double x) {
    if (x == 0 || x != x)
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    return math_scale_exponent(x);
}

MODEL int ilogbf(float x) {
    if (x == 0 || x != x)
        return -2147483647 - 1;
    if (__builtin_isinf(x))
        return 2147483647;
    return math_scale_exponent(x);
}

MODEL double logb(double x) {
    if (x == 0)
        return -__builtin_inf();
    if (!(__builtin_fabs(x) < __builtin_inf()))
        return x * x;
    return math_scale_exponent(x);
}

MODEL float logbf(float x) {
    if (x == 0)
        return -__builtin_inff();
    if (!(__builtin_fabsf(x) < __builtin_inff()))
        return x * x;
    return math_scale_exponent(x);
}

/* The next number from x towards y. */
MODEL double nextafter(double x, double y) {
    union math_scale_double u = {x};
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return y > 0 ? 0x1p-1074 : -0x1p-1074;
    u.bits += (x < y) == (x > 0) ? 1 : -1ULL;
    return u.value;
}

MODEL float nextafterf(float x, float y) {
    union math_scale_float u = {x};
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return y > 0 ? 0x1p-149f : -0x1p-149f;
    u.bits += (x < y) == (x > 0) ? 1 : -1U;
    return u.value;
}
