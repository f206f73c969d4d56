/* math_quotient.c: the remainder of the quotient rounded to the nearest integer, ties to even, and the quotient's sign
 * and last three bits; further bits are the library's business. */
#include <selkie/model.h>

/* What is subtracted is a power of two times y, and at least half of what is left: no step rounds. */
#define MATH_QUOTIENT(name, type, fabs, copysign) \
    MODEL type name(type x, type y, int *quotient) { \
        if (y == 0 || y != y || x - x != 0) { \
            *quotient = any_int(); \
            return (x * y) / (x * y); \
        } \
        type divisor = fabs(y); \
        type rest = __builtin_elementwise_fmod(fabs(x), 8 * divisor); \
        int bits = 0; \
        for (int step = 4; step > 0; step /= 2) \
            if (rest >= step * divisor) { \
                rest -= step * divisor; \
                bits += step; \
            } \
        if (rest > divisor - rest || (rest == divisor - rest && bits % 2 == 1)) { \
            rest -= divisor; \
            bits++; \
        } \
        bits = bits % 8 + 8 * any_int_in(0, 0xffffffe); \
        *quotient = copysign(1, x) * copysign(1, y) < 0 ? -bits : bits; \
        if (rest == 0) \
            return copysign(rest, x); \
        return copysign(1, x) < 0 ? -rest : rest; \
    }

MATH_QUOTIENT(remquo, double, __builtin_fabs, __builtin_copysign)
MATH_QUOTIENT(remquof, float, __builtin_fabsf, __builtin_copysignf)
MATH_QUOTIENT(remquol, long double, __builtin_fabsl, __builtin_copysignl)
