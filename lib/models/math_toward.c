/* math_toward.c: the next double or float from x towards a long double. */
#include <selkie/model.h>

#define MATH_TOWARD(name, type, word, smallest) \
    MODEL type name(type x, long double y) { \
        union { \
            type value; \
            word bits; \
        } u = {x}; \
        if (x != x || y != y) \
            return (type)(x + y); \
        if (x == y) \
            return (type)y; \
        if (x == 0) \
            return y > 0 ? smallest : -smallest; \
        u.bits += (x < y) == (x > 0) ? 1 : (word)-1; \
        return u.value; \
    }
MATH_TOWARD(nexttoward, double, unsigned long long, 0x1p-1074)
MATH_TOWARD(nexttowardf, float, unsigned, 0x1p-149f)
