/* math_exact.c: functions that IEEE 754 defines exactly, for all three types. They become operations.
 * NaNs are quiet: of a signalling one, fmin and fmax make a NaN in some libraries. */
#include <selkie/model.h>

/* Defines a function of one argument for double, float and long double by the compiler's builtin. */
#define MATH_EXACT_1(name) \
    MODEL double name(double x) { return __builtin_##name(x); } \
    MODEL float name##f(float x) { return __builtin_##name##f(x); } \
    MODEL long double name##l(long double x) { return __builtin_##name##l(x); }

#define MATH_EXACT_2(name) \
    MODEL double name(double x, double y) { return __builtin_##name(x, y); } \
    MODEL float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
    MODEL long double name##l(long double x, long double y) { return __builtin_##name##l(x, y); }

MATH_EXACT_1(fabs)
MATH_EXACT_1(floor)
MATH_EXACT_1(ceil)
MATH_EXACT_1(trunc)
MATH_EXACT_1(round)
MATH_EXACT_1(rint)
MATH_EXACT_1(nearbyint)
MATH_EXACT_2(copysign)
MATH_EXACT_2(fmin)
MATH_EXACT_2(fmax)

/* These builtins become instructions even where the library function sets errno. */
#define MATH_EXACT_SQRT(name, type) \
    MODEL type name(type x) { \
        if (x < 0) \
            errno = EDOM; \
        return __builtin_elementwise_sqrt(x); \
    }
MATH_EXACT_SQRT(sqrt, double)
MATH_EXACT_SQRT(sqrtf, float)
MATH_EXACT_SQRT(sqrtl, long double)

#define MATH_EXACT_FMOD(name, type) \
    MODEL type name(type x, type y) { \
        if (y == 0) \
            errno = EDOM; \
        return __builtin_elementwise_fmod(x, y); \
    }
MATH_EXACT_FMOD(fmod, double)
MATH_EXACT_FMOD(fmodf, float)
MATH_EXACT_FMOD(fmodl, long double)

/* The positive difference. */
#define MATH_EXACT_FDIM(name, type) \
    MODEL type name(type x, type y) { return x <= y ? 0 : x - y; }
MATH_EXACT_FDIM(fdim, double)
MATH_EXACT_FDIM(fdimf, float)
MATH_EXACT_FDIM(fdiml, long double)

/* Whole and fractional part, both with the sign of x. */
#define MATH_EXACT_MODF(name, type, suffix) \
    MODEL type name(type x, type *whole) { \
        *whole = __builtin_trunc##suffix(x); \
        type part = __builtin_isinf(x) ? 0 : x - *whole; \
        return __builtin_copysign##suffix(part, x); \
    }
MATH_EXACT_MODF(modf, double, )
MATH_EXACT_MODF(modff, float, f)
MATH_EXACT_MODF(modfl, long double, l)
