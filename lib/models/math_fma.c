/* math_fma.c: x * y + z, rounded once.
 *
 * The product is exact in a type of more than twice the digits. The sum there is rounded to odd: if it is not exact, its
 * last bit is 1. Rounding that to the result's type is the only rounding that shows. */
#include <selkie/model.h>

/* A type of 113 digits; ours has it. */
#pragma clang diagnostic ignored "-Wpedantic"

/* What `sum` lacks of a + b, exactly. */
#define MATH_FMA_ERROR(name, type) \
    static type name(type a, type b, type sum) { \
        type rest = sum - a; \
        return (a - (sum - rest)) + (b - rest); \
    }
MATH_FMA_ERROR(math_fma_error, double)
MATH_FMA_ERROR(math_fma_error_wide, __float128)

MODEL float fmaf(float x, float y, float z) {
    union {
        double value;
        unsigned long long bits;
    } sum;
    double product = (double)x * y;
    sum.value = product + z;
    if (sum.value - sum.value == 0) {
        double error = math_fma_error(product, z, sum.value);
        if (error != 0 && (sum.bits & 1) == 0)
            sum.bits += (error > 0) == (sum.value > 0) ? 1 : -1ULL;
    }
    return (float)sum.value;
}

/* The product of doubles plus z, rounded to odd. */
static __float128 math_fma_wide(double x, double y, long double z) {
    union {
        __float128 value;
        unsigned long long bits[2];
    } sum;
    __float128 product = (__float128)x * y;
    sum.value = product + z;
    if (sum.value - sum.value == 0) {
        __float128 error = math_fma_error_wide(product, z, sum.value);
        if (error != 0 && (sum.bits[0] & 1) == 0) {
            if ((error > 0) == (sum.value > 0)) {
                sum.bits[0]++;
            } else {
                sum.bits[1] -= sum.bits[0] == 0;
                sum.bits[0]--;
            }
        }
    }
    return sum.value;
}

MODEL double fma(double x, double y, double z) {
    return (double)math_fma_wide(x, y, z);
}

/* Exact for factors that are doubles. */
MODEL long double fmal(long double x, long double y, long double z) {
    if ((double)x == x && (double)y == y)
        return (long double)math_fma_wide((double)x, (double)y, z);
    if (x - x != 0 || y - y != 0)
        return x * y + z;
    if (z - z != 0)
        return z;
    __selkie_note("fmal of factors with more digits than a double: any value");
    long double value = __selkie_nondet_approx_longdouble();
    sk_assume(value == value);
    return value;
}
