/* math_pow.c: powers and roots. */
#include "math_range.h"

/* A power of integers is exact as long as the type has all integers of its size. */
#define MATH_POW_EXACT (sizeof(real) == sizeof(float) ? (real)0x1p24 : (real)0x1p53)

MATH_RANGE_2(pow, {
    if (y == 0 || x == 1)
        return 1;
    if (x != x || y != y)
        return MATH_RANGE_NAN;
    if (y == 1)
        return x;
    real magnitude = math_range_abs(x);
    if (y >= 2 && y <= 64 && math_range_floor(y) == y && magnitude <= MATH_POW_EXACT && math_range_floor(x) == x) {
        int n = (int)y;
        real power = x;
        for (int i = 1; i < 64 && i < n && math_range_abs(power) <= MATH_POW_EXACT; i++)
            power *= x;
        if (math_range_abs(power) <= MATH_POW_EXACT)
            return power;
    }
    if (__selkie_nondet_approx_bool())
        errno = __selkie_nondet_approx_bool() ? ERANGE : EDOM;
    if (x > 0)
        return math_range_any(0, MATH_RANGE_INF);
    if (x < 0 && math_range_floor(y) != y && !__builtin_isinf(x) && !__builtin_isinf(y))
        return MATH_RANGE_NAN;
    return math_range_any(-MATH_RANGE_INF, MATH_RANGE_INF);
})

/* Not smaller than either leg; infinite if one is, even beside a NaN. */
MATH_RANGE_2(hypot, {
    real a = math_range_abs(x);
    real b = math_range_abs(y);
    if (__builtin_isinf(a) || __builtin_isinf(b))
        return MATH_RANGE_INF;
    if (a != a || b != b)
        return MATH_RANGE_NAN;
    if (b == 0)
        return a;
    if (a == 0)
        return b;
    if (__selkie_nondet_approx_bool())
        errno = ERANGE;
    return math_range_any(a > b ? a : b, MATH_RANGE_INF);
})

MATH_RANGE_1(cbrt, {
    if (x == 0 || __builtin_isinf(x))
        return x;
    real magnitude = math_range_abs(x);
    real low = magnitude < 1 ? magnitude : 1;
    real high = magnitude < 1 ? 1 : magnitude;
    return x > 0 ? math_range_any(low, high) : math_range_any(-high, -low);
})

MATH_RANGE_1(erf, {
    if (x == 0)
        return x;
    return x > 0 ? math_range_any(0, 1) : math_range_any(-1, 0);
})

MATH_RANGE_1(erfc, {
    if (x == 0)
        return 1;
    return x > 0 ? math_range_any(0, 1) : math_range_any(1, 2);
})

/* Not defined for negative integers; no bounds otherwise. */
MATH_RANGE_1(tgamma, {
    if (__selkie_nondet_approx_bool())
        errno = __selkie_nondet_approx_bool() ? ERANGE : EDOM;
    if (x > 0)
        return math_range_any(0.885, MATH_RANGE_INF);
    return __selkie_nondet_approx_bool() ? MATH_RANGE_NAN : math_range_any(-MATH_RANGE_INF, MATH_RANGE_INF);
})

MATH_RANGE_1(lgamma, {
    if (__selkie_nondet_approx_bool())
        errno = ERANGE;
    return math_range_any(x > 0 ? (real)-0.13 : -MATH_RANGE_INF, MATH_RANGE_INF);
})
