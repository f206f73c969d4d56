/* math_trig.c: trigonometric functions. */
#include "math_range.h"

#define MATH_TRIG_PI 3.1415926535897936
#define MATH_TRIG_HALF_PI 1.5707963267948968

/* Not defined for infinities. */
#define math_trig_finite \
    if (__builtin_isinf(x)) { \
        errno = EDOM; \
        return MATH_RANGE_NAN; \
    }

/* Not defined outside [-1, 1]. */
#define math_trig_unit \
    if (x > 1 || x < -1) { \
        errno = EDOM; \
        return MATH_RANGE_NAN; \
    }

MATH_RANGE_1(sin, {
    math_trig_finite
    if (x == 0)
        return x;
    return math_range_any(-1, 1);
})

MATH_RANGE_1(cos, {
    math_trig_finite
    if (x == 0)
        return 1;
    return math_range_any(-1, 1);
})

MATH_RANGE_1(tan, {
    math_trig_finite
    if (x == 0)
        return x;
    return math_range_any(-MATH_RANGE_INF, MATH_RANGE_INF);
})

MATH_RANGE_1(asin, {
    math_trig_unit
    if (x == 0)
        return x;
    return x > 0 ? math_range_any(0, MATH_TRIG_HALF_PI) : math_range_any(-MATH_TRIG_HALF_PI, 0);
})

MATH_RANGE_1(acos, {
    math_trig_unit
    if (x == 1)
        return 0;
    return math_range_any(0, MATH_TRIG_PI);
})

MATH_RANGE_1(atan, {
    if (x == 0)
        return x;
    return x > 0 ? math_range_any(0, MATH_TRIG_HALF_PI) : math_range_any(-MATH_TRIG_HALF_PI, 0);
})

/* x is the ordinate, as in the standard's atan2(y, x). */
MATH_RANGE_2(atan2, {
    if (x != x || y != y)
        return MATH_RANGE_NAN;
    if (x == 0 && !math_range_negative(y))
        return x;
    return !math_range_negative(x) ? math_range_any(0, MATH_TRIG_PI) : math_range_any(-MATH_TRIG_PI, 0);
})

#define MATH_TRIG_SINCOS(name, type) \
    MODEL void name(type x, type *sine, type *cosine) { \
        typedef type real; \
        __selkie_note(#name ": any values in their range"); \
        if (x - x != 0) { \
            *sine = MATH_RANGE_NAN; \
            *cosine = MATH_RANGE_NAN; \
        } else if (x == 0) { \
            *sine = x; \
            *cosine = 1; \
        } else { \
            *sine = math_range_any(-1, 1); \
            *cosine = math_range_any(-1, 1); \
        } \
    }
MATH_TRIG_SINCOS(sincos, double)
MATH_TRIG_SINCOS(sincosf, float)
MATH_TRIG_SINCOS(sincosl, long double)
