/* complex.c: what the compiler calls for products and quotients of complex numbers, and the parts of one.
 *
 * A product is what the plain formula gives, unless both parts of it are NaN: then Annex G of the C standard wants
 * infinities back. A quotient is computed in steps that differ between libraries: any value. */
#include "math_range.h"

/* A freestanding compiler need not have complex numbers; ours does. */
#pragma clang diagnostic ignored "-Wpedantic"

#define COMPLEX_BOX(x) __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, (double)(x))
#define COMPLEX_ZERO(x) ((x) != (x) ? __builtin_copysign(0.0, (double)(x)) : (x))

#define COMPLEX_TYPE(letter, type, any, suffix) \
    MODEL type _Complex __mul##letter##c3(type a, type b, type c, type d) { \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
        type x = ac - bd, y = ad + bc; \
        if (x != x && y != y) { \
            _Bool again = 0; \
            if (__builtin_isinf(a) || __builtin_isinf(b)) { \
                a = COMPLEX_BOX(a), b = COMPLEX_BOX(b); \
                c = COMPLEX_ZERO(c), d = COMPLEX_ZERO(d); \
                again = 1; \
            } \
            if (__builtin_isinf(c) || __builtin_isinf(d)) { \
                c = COMPLEX_BOX(c), d = COMPLEX_BOX(d); \
                a = COMPLEX_ZERO(a), b = COMPLEX_ZERO(b); \
                again = 1; \
            } \
            if (!again && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) { \
                a = COMPLEX_ZERO(a), b = COMPLEX_ZERO(b); \
                c = COMPLEX_ZERO(c), d = COMPLEX_ZERO(d); \
                again = 1; \
            } \
            if (again) { \
                x = (type)__builtin_inf() * (a * c - b * d); \
                y = (type)__builtin_inf() * (a * d + b * c); \
            } \
        } \
        return __builtin_complex(x, y); \
    } \
    MODEL type _Complex __div##letter##c3(type a, type b, type c, type d) { \
        __selkie_note("division of complex numbers: any value"); \
        (void)a, (void)b, (void)c, (void)d; \
        return __builtin_complex(any(), any()); \
    } \
    MODEL type creal##suffix(type _Complex z) { \
        return __real__ z; \
    } \
    MODEL type cimag##suffix(type _Complex z) { \
        return __imag__ z; \
    } \
    MODEL type _Complex conj##suffix(type _Complex z) { \
        return __builtin_complex(__real__ z, -__imag__ z); \
    }

COMPLEX_TYPE(s, float, __selkie_nondet_approx_float, f)
COMPLEX_TYPE(d, double, __selkie_nondet_approx_double, )
COMPLEX_TYPE(x, long double, __selkie_nondet_approx_longdouble, l)
