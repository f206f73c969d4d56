/* math_range.h: functions whose exact values depend on the library: any value in the function's range, and
 * exact ones where everybody agrees. A NaN gives a NaN. */
#ifndef SELKIE_MODELS_MATH_RANGE_H
#define SELKIE_MODELS_MATH_RANGE_H

#include <selkie/model.h>

/* A value between bounds, both included; no NaN. */
#define MATH_RANGE_ANY(name, type, any) \
    static inline __attribute__((unused)) type name(type low, type high) { \
        type value = any(); \
        sk_assume(value >= low && value <= high); \
        return value; \
    }
MATH_RANGE_ANY(math_range_any_float, float, __selkie_nondet_approx_float)
MATH_RANGE_ANY(math_range_any_double, double, __selkie_nondet_approx_double)
MATH_RANGE_ANY(math_range_any_longdouble, long double, __selkie_nondet_approx_longdouble)

/* For the bodies below, where `real` is the type at hand. */
#define math_range_any(low, high) \
    _Generic((real)0, \
        float: math_range_any_float, \
        double: math_range_any_double, \
        long double: math_range_any_longdouble)((low), (high))
#define math_range_abs(x) __builtin_elementwise_abs((real)(x))
#define math_range_floor(x) __builtin_elementwise_floor((real)(x))
#define math_range_negative(x) (__builtin_signbit(x) != 0)
#define MATH_RANGE_INF ((real)__builtin_inf())
/* Of any sign. */
#define MATH_RANGE_NAN (rough_bool() ? (real)__builtin_nan("") : -(real)__builtin_nan(""))

#define MATH_RANGE_TYPE_1(name, type, body) \
    MODEL type name(type x) { \
        typedef type real; \
        __selkie_note(#name ": any value in its range"); \
        if (x != x) \
            return x; \
        body \
    }

#define MATH_RANGE_TYPE_2(name, type, body) \
    MODEL type name(type x, type y) { \
        typedef type real; \
        __selkie_note(#name ": any value in its range"); \
        body \
    }

/* Define a function of one or two arguments for double, float and long double. */
#define MATH_RANGE_1(name, body) \
    MATH_RANGE_TYPE_1(name, double, body) \
    MATH_RANGE_TYPE_1(name##f, float, body) \
    MATH_RANGE_TYPE_1(name##l, long double, body)
#define MATH_RANGE_2(name, body) \
    MATH_RANGE_TYPE_2(name, double, body) \
    MATH_RANGE_TYPE_2(name##f, float, body) \
    MATH_RANGE_TYPE_2(name##l, long double, body)

#endif
