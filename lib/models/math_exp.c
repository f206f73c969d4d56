/* math_exp.c: exponential and hyperbolic functions and their inverses. */
#include "math_range.h"

/* Positive powers are at least 1, negative ones at most 1. */
#define math_exp_power \
    if (x == 0) \
        return 1; \
    if (__builtin_isinf(x)) \
        return x > 0 ? x : 0; \
    if (__selkie_nondet_approx_bool()) \
        errno = ERANGE; \
    return x > 0 ? math_range_any(1, MATH_RANGE_INF) : math_range_any(0, 1);

MATH_RANGE_1(exp, { math_exp_power })
MATH_RANGE_1(exp2, { math_exp_power })
MATH_RANGE_1(exp10, { math_exp_power })

MATH_RANGE_1(expm1, {
    if (x == 0)
        return x;
    if (__selkie_nondet_approx_bool())
        errno = ERANGE;
    return x > 0 ? math_range_any(0, MATH_RANGE_INF) : math_range_any(-1, 0);
})

/* Of a number below 1: at most 0. The logarithm of no double is outside [-1100, 1100]; a long double's
 * reaches 16400. */
#define math_exp_logarithm \
    if (x < 0) { \
        errno = EDOM; \
        return MATH_RANGE_NAN; \
    } \
    if (x == 0) { \
        errno = ERANGE; \
        return -MATH_RANGE_INF; \
    } \
    if (x == 1) \
        return 0; \
    if (__builtin_isinf(x)) \
        return x; \
    return x > 1 ? math_range_any(0, 16400) : math_range_any(-16500, 0);

MATH_RANGE_1(log, { math_exp_logarithm })
MATH_RANGE_1(log2, { math_exp_logarithm })
MATH_RANGE_1(log10, { math_exp_logarithm })

MATH_RANGE_1(log1p, {
    if (x == 0)
        return x;
    if (x < -1) {
        errno = EDOM;
        return MATH_RANGE_NAN;
    }
    if (x == -1) {
        errno = ERANGE;
        return -MATH_RANGE_INF;
    }
    if (__builtin_isinf(x))
        return x;
    return x > 0 ? math_range_any(0, 16400) : math_range_any(-16500, 0);
})

MATH_RANGE_1(sinh, {
    if (x == 0)
        return x;
    if (__selkie_nondet_approx_bool())
        errno = ERANGE;
    return x > 0 ? math_range_any(0, MATH_RANGE_INF) : math_range_any(-MATH_RANGE_INF, 0);
})

MATH_RANGE_1(cosh, {
    if (x == 0)
        return 1;
    if (__selkie_nondet_approx_bool())
        errno = ERANGE;
    return math_range_any(1, MATH_RANGE_INF);
})

MATH_RANGE_1(tanh, {
    if (x == 0)
        return x;
    return x > 0 ? math_range_any(0, 1) : math_range_any(-1, 0);
})

MATH_RANGE_1(asinh, {
    if (x == 0)
        return x;
    return x > 0 ? math_range_any(0, MATH_RANGE_INF) : math_range_any(-MATH_RANGE_INF, 0);
})

MATH_RANGE_1(acosh, {
    if (x < 1) {
        errno = EDOM;
        return MATH_RANGE_NAN;
    }
    if (x == 1)
        return 0;
    return math_range_any(0, MATH_RANGE_INF);
})

MATH_RANGE_1(atanh, {
    if (x == 0)
        return x;
    if (x > 1 || x < -1) {
        errno = EDOM;
        return MATH_RANGE_NAN;
    }
    return x > 0 ? math_range_any(0, MATH_RANGE_INF) : math_range_any(-MATH_RANGE_INF, 0);
})
