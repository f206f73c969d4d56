/* math_remainder.c: the remainder of the quotient rounded to the nearest integer, ties to even. */
#include <selkie/model.h>

/* Reduces by 2y first, exactly; what is left is off by at most two times y. */
#define MATH_REMAINDER(name, type, fabs, copysign) \
    MODEL type name(type x, type y) { \
        if (y == 0 || __builtin_isinf(x)) \
            errno = EDOM; \
        if (y == 0 || y != y || x - x != 0) \
            return (x * y) / (x * y); \
        type divisor = fabs(y); \
        type rest = fabs(x); \
        if (divisor + divisor - (divisor + divisor) == 0) \
            rest = __builtin_elementwise_fmod(rest, divisor + divisor); \
        /* rest > divisor / 2 without a division that could lose a bit. */ \
        if (rest - (divisor - rest) > 0) { \
            rest -= divisor; \
            if (rest + rest >= divisor) \
                rest -= divisor; \
        } \
        if (rest == 0) \
            return copysign(rest, x); \
        return copysign(1, x) < 0 ? -rest : rest; \
    }

MATH_REMAINDER(remainder, double, __builtin_fabs, __builtin_copysign)
MATH_REMAINDER(remainderf, float, __builtin_fabsf, __builtin_copysignf)
MATH_REMAINDER(drem, double, __builtin_fabs, __builtin_copysign)
MATH_REMAINDER(dremf, float, __builtin_fabsf, __builtin_copysignf)
MATH_REMAINDER(remainderl, long double, __builtin_fabsl, __builtin_copysignl)
MATH_REMAINDER(dreml, long double, __builtin_fabsl, __builtin_copysignl)
