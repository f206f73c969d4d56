/* math_class.c: kinds of floating-point numbers, under all names that headers use. */
#include <selkie/model.h>

/* Defines a predicate for double, float and long double under its BSD and its internal names. */
#define MATH_CLASS(name, expression) \
    MODEL int name(double x) { return expression; } \
    MODEL int name##f(float x) { return expression; } \
    MODEL int name##l(long double x) { return expression; } \
    MODEL int __##name(double x) { return expression; } \
    MODEL int __##name##f(float x) { return expression; } \
    MODEL int __##name##l(long double x) { return expression; }

MATH_CLASS(isnan, __builtin_isnan(x))
MATH_CLASS(isinf, __builtin_isinf(x) ? (x > 0 ? 1 : -1) : 0)
MATH_CLASS(finite, __builtin_isfinite(x))

/* The numbers of glibc: nan, infinite, zero, subnormal, normal. */
#define math_class_kind __builtin_fpclassify(0, 1, 4, 3, 2, x)
MODEL int __fpclassify(double x) { return math_class_kind; }
MODEL int __fpclassifyf(float x) { return math_class_kind; }
MODEL int __fpclassifyl(long double x) { return math_class_kind; }

MODEL int __signbit(double x) { return __builtin_signbit(x) != 0; }
MODEL int __signbitf(float x) { return __builtin_signbitf(x) != 0; }
MODEL int __signbitl(long double x) { return __builtin_signbitl(x) != 0; }
