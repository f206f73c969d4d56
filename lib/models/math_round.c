/* math_round.c: rounding to integers. Results that do not fit are unspecified (check float-cast). */
#include <selkie/model.h>

/* 2^(bits-1) of the result type; exact in every floating-point type. */
#define MATH_ROUND(name, type, rounding, result) \
    MODEL result name(type x) { \
        type whole = __builtin_##rounding(x); \
        type limit = (type)(1ULL << (8 * sizeof(result) - 1)); \
        __selkie_check(whole >= -limit && whole < limit, "float-cast", #name ": the result fits its type"); \
        return (result)whole; \
    }

MATH_ROUND(lround, double, round, long)
MATH_ROUND(lroundf, float, roundf, long)
MATH_ROUND(lroundl, long double, roundl, long)
MATH_ROUND(llround, double, round, long long)
MATH_ROUND(llroundf, float, roundf, long long)
MATH_ROUND(llroundl, long double, roundl, long long)
MATH_ROUND(lrint, double, rint, long)
MATH_ROUND(lrintf, float, rintf, long)
MATH_ROUND(lrintl, long double, rintl, long)
MATH_ROUND(llrint, double, rint, long long)
MATH_ROUND(llrintf, float, rintf, long long)
MATH_ROUND(llrintl, long double, rintl, long long)
