/* As string.c: mathematics. */
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <selkie.h>
#include <string.h>

/* Macros have these names; functions have, too. */
#undef isnan
#undef isinf
#define KIND(name) int name(double), name##f(float), name##l(long double)
KIND(isnan);
KIND(isinf);
KIND(finite);
KIND(__isnan);
KIND(__isinf);
KIND(__finite);
KIND(__fpclassify);
KIND(__signbit);

/* What the compiler calls for complex numbers. */
float _Complex __mulsc3(float, float, float, float), __divsc3(float, float, float, float);
double _Complex __muldc3(double, double, double, double), __divdc3(double, double, double, double);
long double _Complex __mulxc3(long double, long double, long double, long double);
long double _Complex __divxc3(long double, long double, long double, long double);

static const double infinite = __builtin_inf(), no_number = __builtin_nan("");

/* Any number of a moderate size. */
static double some(void) {
    double x = sk_nondet_short() / 16.0;
    return x;
}

/// holds: fabs fabsf fabsl
{
    double x = some();
    sk_assert(FUNCTION(x) >= 0 && (FUNCTION(x) == x || FUNCTION(x) == -x) && FUNCTION(-infinite) == infinite);
}
/// holds: floor floorf floorl
{
    double x = some();
    sk_assert(FUNCTION(-1.5) == -2 && FUNCTION(x) <= x && FUNCTION(x) > x - 1);
}
/// holds: ceil ceilf ceill
{
    double x = some();
    sk_assert(FUNCTION(-1.5) == -1 && FUNCTION(x) >= x && FUNCTION(x) < x + 1);
}
/// holds: trunc truncf truncl
{
    sk_assert(FUNCTION(-1.75) == -1 && FUNCTION(1.75) == 1 && FUNCTION(infinite) == infinite);
}
/// holds: round roundf roundl
{
    sk_assert(FUNCTION(2.5) == 3 && FUNCTION(-2.5) == -3 && FUNCTION(2.25) == 2);
}
/// holds: rint rintf rintl nearbyint nearbyintf nearbyintl
{
    sk_assert(FUNCTION(2.5) == 2 && FUNCTION(-3.5) == -4 && FUNCTION(2.75) == 3);
}
/// holds: copysign copysignf copysignl
{
    sk_assert(FUNCTION(2, -0.0) == -2 && FUNCTION(-2, 1) == 2);
}
/// holds: fmin fminf fminl
{
    sk_assert(FUNCTION(1, 2) == 1 && FUNCTION(no_number, 2) == 2 && FUNCTION(2, -infinite) == -infinite);
}
/// holds: fmax fmaxf fmaxl
{
    sk_assert(FUNCTION(1, 2) == 2 && FUNCTION(1, no_number) == 1 && FUNCTION(2, -infinite) == 2);
}
/// holds: fdim fdimf fdiml
{
    sk_assert(FUNCTION(3, 1) == 2 && FUNCTION(1, 3) == 0 && FUNCTION(no_number, 1) != FUNCTION(no_number, 1));
}
/// holds: sqrt sqrtf sqrtl
{
    errno = 0;
    sk_assert(FUNCTION(16) == 4 && FUNCTION(0.25) == 0.5 && errno == 0 && FUNCTION(-1) != FUNCTION(-1) && errno == EDOM);
}
/// holds: fmod fmodf fmodl
{
    errno = 0;
    sk_assert(FUNCTION(7, 3) == 1 && FUNCTION(-7, 3) == -1 && errno == 0 && FUNCTION(1, 0) != 0 && errno == EDOM);
}
/// holds: remainder remainderf remainderl drem dremf dreml
{
    sk_assert(FUNCTION(7, 4) == -1 && FUNCTION(5, 2) == 1 && FUNCTION(7, 2) == -1 && FUNCTION(6, 4) == -2);
}
/// holds: remquo remquof remquol
{
    int quotient;
    sk_assert(FUNCTION(7, 4, &quotient) == -1 && quotient % 8 == 2 && FUNCTION(-5, 2, &quotient) == -1 && quotient % 8 == -2);
}
/// violates deref: remquo remquof remquol
{
    FUNCTION(sk_nondet_bool() ? 1 : infinite, 2, NULL);
}
/// holds: fma fmaf fmal
{
    sk_assert(FUNCTION(2, 3, 4) == 10 && FUNCTION(infinite, 1, 1) == infinite && FUNCTION(2, 3, -infinite) == -infinite);
}
/// holds: fma fmaf
{
    /* What a product would lose is still there. */
    double x = 1 + 0x1p-30;
    sk_assert(fma(x, x, -(1 + 0x1p-29)) == 0x1p-60 && x * x - (1 + 0x1p-29) == 0);
    float y = 1 + 0x1p-13f;
    sk_assert(fmaf(y, y, -(1 + 0x1p-12f)) == 0x1p-26f);
}
/// holds: nan nanf nanl
{
    sk_assert(FUNCTION("") != FUNCTION("") && FUNCTION("1") != 1 && FUNCTION("no number") != 0);
}
/// violates deref: nan nanf nanl
{
    char open[2] = {'1', '2'};
    FUNCTION(open);
}
/// holds: modf modff modfl
{
    __typeof__(FUNCTION(0, 0)) whole;
    sk_assert(FUNCTION(-1.5, &whole) == -0.5 && whole == -1 && FUNCTION(infinite, &whole) == 0 && whole == infinite);
}
/// violates deref: modf modff modfl
{
    FUNCTION(1.5, NULL);
}
/// holds: frexp frexpf frexpl
{
    int exponent;
    sk_assert(FUNCTION(12, &exponent) == 0.75 && exponent == 4 && FUNCTION(0, &exponent) == 0 && exponent == 0);
}
/// violates deref: frexp frexpf frexpl
{
    FUNCTION(1, NULL);
}
/// holds: ldexp ldexpf ldexpl scalbn scalbnf scalbnl scalbln scalblnf scalblnl
{
    sk_assert(FUNCTION(3, 2) == 12 && FUNCTION(3, -1) == 1.5 && FUNCTION(1, 100000) == infinite && FUNCTION(1, -100000) == 0);
}
/// holds: ilogb ilogbf ilogbl
{
    sk_assert(FUNCTION(12) == 3 && FUNCTION(0.75) == -1 && FUNCTION(0) == FP_ILOGB0 && FUNCTION(infinite) == 2147483647);
}
/// holds: logb logbf logbl
{
    sk_assert(FUNCTION(12) == 3 && FUNCTION(0.75) == -1 && FUNCTION(0) == -infinite && FUNCTION(-infinite) == infinite);
}
/// holds: nextafter nextafterf nextafterl nexttoward nexttowardf nexttowardl
{
    sk_assert(FUNCTION(1, 2) > 1 && FUNCTION(1, 0) < 1 && FUNCTION(1, 1) == 1 && FUNCTION(0, -1) < 0);
    sk_assert(FUNCTION(FUNCTION(1, 2), 0) == 1);
}
/// holds: lround lroundf lroundl llround llroundf llroundl
{
    sk_assert(FUNCTION(2.5) == 3 && FUNCTION(-2.5) == -3 && FUNCTION(0.25) == 0);
}
/// holds: lrint lrintf lrintl llrint llrintf llrintl
{
    sk_assert(FUNCTION(2.5) == 2 && FUNCTION(-2.5) == -2 && FUNCTION(0.75) == 1);
}
/// violates float-cast: lround lroundf lroundl llround llroundf llroundl lrint lrintf lrintl llrint llrintf llrintl
{
    FUNCTION(sk_nondet_bool() ? 0x1p63 : no_number);
}
/// holds: isnan isnanf isnanl __isnan __isnanf __isnanl
{
    sk_assert((FUNCTION)(no_number) && !(FUNCTION)(infinite) && !(FUNCTION)(some()));
}
/// holds: isinf isinff isinfl __isinf __isinff __isinfl
{
    sk_assert((FUNCTION)(infinite) == 1 && (FUNCTION)(-infinite) == -1 && !(FUNCTION)(no_number) && !(FUNCTION)(some()));
}
/// holds: finite finitef finitel __finite __finitef __finitel
{
    sk_assert(!(FUNCTION)(infinite) && !(FUNCTION)(no_number) && (FUNCTION)(some()));
}
/// holds: __fpclassify __fpclassifyf __fpclassifyl
{
    sk_assert(FUNCTION(no_number) == FP_NAN && FUNCTION(infinite) == FP_INFINITE && FUNCTION(0) == FP_ZERO && FUNCTION(1) == FP_NORMAL);
}
/// holds: __signbit __signbitf __signbitl
{
    sk_assert(FUNCTION(-0.0) && !FUNCTION(0.0) && FUNCTION(-infinite) && !FUNCTION(1));
}
/// holds: sin sinf sinl
{
    double x = some();
    sk_assert(FUNCTION(x) >= -1 && FUNCTION(x) <= 1 && FUNCTION(0) == 0 && FUNCTION(infinite) != FUNCTION(infinite));
}
/// holds: cos cosf cosl
{
    double x = some();
    sk_assert(FUNCTION(x) >= -1 && FUNCTION(x) <= 1 && FUNCTION(0) == 1);
}
/// holds: tan tanf tanl
{
    sk_assert(FUNCTION(0) == 0 && FUNCTION(no_number) != FUNCTION(no_number));
}
/// violates assert: sin cos tan
{
    sk_assert(FUNCTION(1) > 0.9);
}
/// holds: sincos sincosf sincosl
{
    union {
        double d;
        float f;
        long double l;
    } sine, cosine;
    FUNCTION(0, (void *)&sine, (void *)&cosine);
    FUNCTION(some(), (void *)&sine, (void *)&cosine);
}
/// holds: sincos
{
    double sine, cosine;
    sincos(some(), &sine, &cosine);
    sk_assert(sine >= -1 && sine <= 1 && cosine >= -1 && cosine <= 1);
    sincos(0, &sine, &cosine);
    sk_assert(sine == 0 && cosine == 1);
}
/// violates deref: sincos sincosf sincosl
{
    long double one;
    if (sk_nondet_bool())
        FUNCTION(1, (void *)&one, NULL);
    else
        FUNCTION(1, NULL, (void *)&one);
}
/// holds: asin asinf asinl atan atanf atanl
{
    sk_assert(FUNCTION(0) == 0 && FUNCTION(0.5) >= 0 && FUNCTION(0.5) < 1.6 && FUNCTION(-0.5) <= 0);
}
/// holds: acos acosf acosl
{
    sk_assert(FUNCTION(1) == 0 && FUNCTION(0.5) >= 0 && FUNCTION(-0.5) < 3.2 && FUNCTION(2) != FUNCTION(2));
}
/// holds: asin asinf asinl acos acosf acosl
{
    errno = 0;
    sk_assert(FUNCTION(1.5) != 0 && errno == EDOM);
}
/// holds: atan2 atan2f atan2l
{
    double x = some();
    sk_assert(FUNCTION(0, 1) == 0 && FUNCTION(1, x) >= 0 && FUNCTION(1, x) < 3.2 && FUNCTION(-1, x) <= 0);
}
/// holds: exp expf expl exp2 exp2f exp2l exp10 exp10f exp10l
{
    sk_assert(FUNCTION(0) == 1 && FUNCTION(3) >= 1 && FUNCTION(-3) <= 1 && FUNCTION(-3) >= 0 && FUNCTION(-infinite) == 0);
}
/// holds: expm1 expm1f expm1l
{
    sk_assert(FUNCTION(0) == 0 && FUNCTION(3) >= 0 && FUNCTION(-3) >= -1 && FUNCTION(-3) <= 0);
}
/// holds: log logf logl log2 log2f log2l log10 log10f log10l
{
    sk_assert(FUNCTION(1) == 0 && FUNCTION(3) >= 0 && FUNCTION(0.5) <= 0 && FUNCTION(infinite) == infinite);
    errno = 0;
    sk_assert(FUNCTION(0) == -infinite && errno == ERANGE && FUNCTION(-1) != FUNCTION(-1) && errno == EDOM);
}
/// holds: log1p log1pf log1pl
{
    sk_assert(FUNCTION(0) == 0 && FUNCTION(3) >= 0 && FUNCTION(-0.5) <= 0 && FUNCTION(-1) == -infinite && FUNCTION(-2) != FUNCTION(-2));
}
/// holds: sinh sinhf sinhl asinh asinhf asinhl tanh tanhf tanhl atanh atanhf atanhl
{
    sk_assert(FUNCTION(0) == 0 && FUNCTION(0.5) >= 0 && FUNCTION(-0.5) <= 0);
}
/// holds: cosh coshf coshl
{
    sk_assert(FUNCTION(0) == 1 && FUNCTION(some()) >= 1);
}
/// holds: acosh acoshf acoshl
{
    sk_assert(FUNCTION(1) == 0 && FUNCTION(3) >= 0 && FUNCTION(0) != FUNCTION(0));
}
/// holds: pow powf powl
{
    double x = some();
    sk_assert(FUNCTION(2, 10) == 1024 && FUNCTION(-3, 3) == -27 && FUNCTION(x, 0) == 1 && FUNCTION(x, 1) == x && FUNCTION(1, x) == 1);
    sk_assert(FUNCTION(3, 0.5) >= 0);
}
/// holds: hypot hypotf hypotl
{
    sk_assert(FUNCTION(3, 4) >= 4 && FUNCTION(-3, 0) == 3 && FUNCTION(infinite, no_number) == infinite);
}
/// holds: cbrt cbrtf cbrtl
{
    sk_assert(FUNCTION(0) == 0);
    double root = FUNCTION(8);
    sk_assert(root >= 1 && root <= 8);
}
/// holds: erf erff erfl
{
    sk_assert(FUNCTION(0) == 0 && FUNCTION(2) <= 1 && FUNCTION(-2) >= -1 && FUNCTION(-2) <= 0);
}
/// holds: erfc erfcf erfcl
{
    sk_assert(FUNCTION(0) == 1);
    double value = FUNCTION(-2);
    sk_assert(value >= 1 && value <= 2);
}
/// holds: tgamma tgammaf tgammal
{
    sk_assert(FUNCTION(3) > 0.8 && FUNCTION(no_number) != FUNCTION(no_number));
}
/// holds: lgamma lgammaf lgammal
{
    sk_assert(FUNCTION(3) > -0.2 && FUNCTION(no_number) != FUNCTION(no_number));
}
/// violates assert: exp log
{
    /* A value in the function's range, and not the right one. */
    sk_assert(FUNCTION(2) > 0.6 && FUNCTION(2) < 7.4);
}
/// violates assert: pow
{
    sk_assert(pow(2, 0.5) < 1.5);
}
/// holds: creal crealf creall cimag cimagf cimagl conj conjf conjl
{
    double _Complex z = __builtin_complex(3.0, 4.0);
    sk_assert(creal(z) == 3 && cimag(z) == 4 && crealf(z) == 3 && cimagf(z) == 4 && creall(z) == 3 && cimagl(z) == 4);
    sk_assert(cimag(conj(z)) == -4 && cimagf(conjf(z)) == -4 && cimagl(conjl(z)) == -4 && creal(conj(z)) == 3);
}
/// holds: __mulsc3 __muldc3 __mulxc3
{
    double _Complex z = FUNCTION(1, 2, 3, 4);
    sk_assert(__real__ z == -5 && __imag__ z == 10);
}
/// holds: __divsc3 __divdc3 __divxc3
{
    double _Complex z = FUNCTION(1, 2, 3, 4);
    (void)z;
}
