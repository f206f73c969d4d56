/* math_test.c: math.h against the real library. Exact functions agree; for the others, the real result is
 * among those that the model allows. */
#define _GNU_SOURCE
#include "native.h"

#include <errno.h>
#include <math.h>

#define RUNS 10000
#define ATTEMPTS 200

int *model___errno_location(void);

static double some_real(void) {
    static const double edges[] = {0.0,      -0.0,  1,         -1,       0.5,       -0.5,     1.5,  2.5,  -2.5,    INFINITY, -INFINITY,
                                   NAN,      1e300, -1e300,    5e-324,   -5e-324,   2.2e-308, 1e-5, 709,  -745,    0x1p52,   0x1p53,
                                   0x1p62,   1e-30, 0x1p-1022, 3,        4,         -8,       1e10, -1e5, 0.49999999999999994};
    union {
        unsigned long long bits;
        double value;
    } u = {random_bits()};
    switch (random_below(4)) {
    case 0: return edges[random_below(sizeof edges / sizeof *edges)];
    case 1: return isnan(u.value) ? u.value + 1 : u.value; /* NaNs are quiet. */
    case 2: return (int)random_below(41) - 20;
    }
    return ((double)random_below(2000001) - 1000000) / (1 + random_below(100000));
}

/* The same number: signs of zeros count, NaNs are equal. */
static int same(long double left, long double right) {
    return isnan(left) ? isnan(right) : left == right && !signbit(left) == !signbit(right);
}

/* Which of two zeros is the smaller one is left open. */
#define UNSIGNED_ZERO(name) (!strncmp(name, "fmin", 4) || !strncmp(name, "fmax", 4))

/* Is the real result among the model's? */
#define AMONG(name, type, expected, call) \
    do { \
        volatile type want = (expected); /* Rounded: x87 returns more digits. */ \
        type result = 0; \
        long double choice = want; \
        int found = 0; \
        native_real_choice = &choice; \
        for (int i = 0; i < ATTEMPTS && !found; i++) { \
            *model___errno_location() = 0; \
            enum ending ending = ATTEMPT(result = call); \
            EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "%s ends with %d", name, ending); \
            found = ending == RETURNED && (same(result, choice) || (result == 0 && choice == 0 && UNSIGNED_ZERO(name))); \
        } \
        native_real_choice = NULL; \
        EXPECT(found, "%s of %.20Lg, %.20Lg: %.20Lg is not allowed", name, (long double)x, (long double)y, choice); \
    } while (0)

#define TYPES_1(name) \
    MODEL_OF(name); \
    MODEL_OF(name##f); \
    MODEL_OF(name##l); \
    static void test_##name(double x, double y) { \
        AMONG(#name, double, name(x), model_##name(x)); \
        AMONG(#name "f", float, name##f((float)x), model_##name##f((float)x)); \
        AMONG(#name "l", long double, name##l(x), model_##name##l(x)); \
    }
#define TYPES_2(name) \
    MODEL_OF(name); \
    MODEL_OF(name##f); \
    MODEL_OF(name##l); \
    static void test_##name(double x, double y) { \
        AMONG(#name, double, name(x, y), model_##name(x, y)); \
        AMONG(#name "f", float, name##f((float)x, (float)y), model_##name##f((float)x, (float)y)); \
        AMONG(#name "l", long double, name##l(x, y), model_##name##l(x, y)); \
    }

#define ONE(use) \
    use(fabs) use(floor) use(ceil) use(trunc) use(round) use(rint) use(nearbyint) use(sqrt) use(sin) use(cos) use(tan) \
    use(asin) use(acos) use(atan) use(exp) use(exp2) use(exp10) use(expm1) use(log) use(log2) use(log10) use(log1p) \
    use(sinh) use(cosh) use(tanh) use(asinh) use(acosh) use(atanh) use(cbrt) use(erf) use(erfc) use(tgamma) use(lgamma)
#define TWO(use) \
    use(copysign) use(fmin) use(fmax) use(fmod) use(fdim) use(atan2) use(pow) use(hypot)
ONE(TYPES_1)
TWO(TYPES_2)

/* ---- Functions with other types --------------------------------------------------------- */

MODEL_OF(remainder);
MODEL_OF(remainderf);
MODEL_OF(drem);
MODEL_OF(ldexp);
MODEL_OF(ldexpf);
MODEL_OF(scalbn);
MODEL_OF(scalbnf);
MODEL_OF(scalbln);
MODEL_OF(scalblnf);
MODEL_OF(frexp);
MODEL_OF(frexpf);
MODEL_OF(ilogb);
MODEL_OF(ilogbf);
MODEL_OF(logb);
MODEL_OF(logbf);
MODEL_OF(nextafter);
MODEL_OF(nextafterf);
MODEL_OF(modf);
MODEL_OF(modff);
MODEL_OF(modfl);
MODEL_OF(sincos);
MODEL_OF(sincosf);
MODEL_OF(sincosl);

static void exact(double x, double y) {
    float a = (float)x, b = (float)y;
    int n = random_below(3) ? (int)random_below(200) - 100 : (int)random_below(5000) - 2500;
#define EXACT(name, expected, model) \
    do { \
        long double want = (expected), got = (model); \
        EXPECT(same(want, got), "%s of %.20Lg, %.20Lg, %d: %.20Lg, not %.20Lg", name, (long double)x, (long double)y, n, got, want); \
    } while (0)
    EXACT("remainder", remainder(x, y), model_remainder(x, y));
    EXACT("remainderf", remainderf(a, b), model_remainderf(a, b));
    EXACT("drem", drem(x, y), model_drem(x, y));
    EXACT("ldexp", ldexp(x, n), model_ldexp(x, n));
    EXACT("ldexpf", ldexpf(a, n), model_ldexpf(a, n));
    EXACT("scalbn", scalbn(x, n), model_scalbn(x, n));
    EXACT("scalbnf", scalbnf(a, n), model_scalbnf(a, n));
    EXACT("scalbln", scalbln(x, n), model_scalbln(x, n));
    EXACT("scalblnf", scalblnf(a, n), model_scalblnf(a, n));
    EXACT("ilogb", ilogb(x), model_ilogb(x));
    EXACT("ilogbf", ilogbf(a), model_ilogbf(a));
    EXACT("logb", logb(x), model_logb(x));
    EXACT("logbf", logbf(a), model_logbf(a));
    EXACT("nextafter", nextafter(x, y), model_nextafter(x, y));
    EXACT("nextafterf", nextafterf(a, b), model_nextafterf(a, b));
    int exponent = 0, model_exponent = 0;
    EXACT("frexp", frexp(x, &exponent), model_frexp(x, &model_exponent));
    EXPECT(exponent == model_exponent || isnan(x) || isinf(x), "frexp of %g", x);
    EXACT("frexpf", frexpf(a, &exponent), model_frexpf(a, &model_exponent));
    EXPECT(exponent == model_exponent || isnan(x) || isinf(a), "frexpf of %g", x);
    double whole, model_whole;
    float whole_f, model_whole_f;
    long double whole_l, model_whole_l;
    EXACT("modf", modf(x, &whole), model_modf(x, &model_whole));
    EXACT("modff", modff(a, &whole_f), model_modff(a, &model_whole_f));
    EXACT("modfl", modfl(x, &whole_l), model_modfl(x, &model_whole_l));
    EXPECT(same(whole, model_whole) && same(whole_f, model_whole_f) && same(whole_l, model_whole_l), "modf of %g", x);
}

static void sines(double x, double y) {
    long double choice = 0.25L;
    native_real_choice = &choice;
#define SINES(name, type) \
    do { \
        type sine = 2, cosine = 2; \
        EXPECT(ATTEMPT(model_##name((type)x, &sine, &cosine)) == RETURNED, #name " of %g, %g", x, y); \
        EXPECT((isnan((type)x) || isinf((type)x)) == (sine != sine) && (sine != sine || (sine <= 1 && sine >= -1)), #name); \
    } while (0)
    SINES(sincos, double);
    SINES(sincosf, float);
    SINES(sincosl, long double);
    native_real_choice = NULL;
}

/* Rounding to integers: a result that does not fit violates a check. */
#define ROUNDING(use) \
    use(lround, long) use(lrint, long) use(llround, long long) use(llrint, long long)
#define ROUND_TYPES(name, result) MODEL_OF(name); MODEL_OF(name##f); MODEL_OF(name##l);
ROUNDING(ROUND_TYPES)

static void rounding(double x, double y) {
#define ROUND_TO(name, type, result_type) \
    do { \
        result_type result = 0; \
        type rounded = (type)rintl((type)x); \
        type limit = (type)(1ULL << (8 * sizeof(result_type) - 1)); \
        enum ending ending = ATTEMPT(result = model_##name((type)x)); \
        if (ending == RETURNED) \
            EXPECT(result == name((type)x), #name " of %.20g, %g", x, y); \
        else \
            EXPECT(ending == CHECK_FAILED && !(rounded > -limit + 1 && rounded < limit - 1), #name " of %.20g", x); \
    } while (0)
#define ROUND_ALL(name, result) \
    ROUND_TO(name, double, result); \
    ROUND_TO(name##f, float, result); \
    ROUND_TO(name##l, long double, result);
    ROUNDING(ROUND_ALL)
}

/* ---- Kinds of numbers ------------------------------------------------------------------- */

#define KINDS(use) \
    use(isnan, isnan(x)) use(isinf, isinf(x) ? (x > 0 ? 1 : -1) : 0) use(finite, isfinite(x) ? 1 : 0)
#define KIND_TYPES(name, expected) \
    int model_##name(double); \
    int model_##name##f(float); \
    int model_##name##l(long double); \
    int model___##name(double); \
    int model___##name##f(float); \
    int model___##name##l(long double);
KINDS(KIND_TYPES)
int model___fpclassify(double);
int model___fpclassifyf(float);
int model___fpclassifyl(long double);
int model___signbit(double);
int model___signbitf(float);
int model___signbitl(long double);

static void kinds(double value) {
#define KIND(name, expected) \
    { \
        double x = value; \
        EXPECT(model_##name(x) == (expected) && model___##name(x) == (expected), "%s of %g", #name, value); \
        EXPECT(model_##name##l(x) == (expected) && model___##name##l(x) == (expected), "%sl of %g", #name, value); \
    } \
    { \
        float x = (float)value; \
        EXPECT(model_##name##f(x) == (expected) && model___##name##f(x) == (expected), "%sf of %g", #name, value); \
    }
    KINDS(KIND)
    EXPECT(model___fpclassify(value) == fpclassify(value), "fpclassify of %g", value);
    EXPECT(model___fpclassifyf((float)value) == fpclassify((float)value), "fpclassifyf of %g", value);
    EXPECT(model___fpclassifyl(value) == fpclassify((long double)value), "fpclassifyl of %g", value);
    EXPECT(!model___signbit(value) == !signbit(value), "signbit of %g", value);
    EXPECT(!model___signbitf((float)value) == !signbit((float)value), "signbitf of %g", value);
    EXPECT(!model___signbitl(value) == !signbit((long double)value), "signbitl of %g", value);
}

/* ---- Fused products, and NaNs with a payload -------------------------------------------- */

MODEL_OF(fma);
MODEL_OF(fmaf);
MODEL_OF(fmal);
MODEL_OF(nan);
MODEL_OF(nanf);
MODEL_OF(nanl);

/* Is what the call yields, or may yield, the number? */
static int yields_fmal(long double x, long double y, long double z, long double want) {
    long double result = 0;
    native_real_choice = &want;
    enum ending ending = ATTEMPT(result = model_fmal(x, y, z));
    native_real_choice = NULL;
    return ending == RETURNED && same(result, want);
}

/* ---- Long doubles ----------------------------------------------------------------------- */

MODEL_OF(ldexpl);
MODEL_OF(scalbnl);
MODEL_OF(scalblnl);
MODEL_OF(frexpl);
MODEL_OF(ilogbl);
MODEL_OF(logbl);
MODEL_OF(nextafterl);
MODEL_OF(nexttoward);
MODEL_OF(nexttowardf);
MODEL_OF(nexttowardl);
MODEL_OF(remainderl);
MODEL_OF(dreml);
MODEL_OF(dremf);
MODEL_OF(remquo);
MODEL_OF(remquof);
MODEL_OF(remquol);

static long double some_long(void) {
    static const long double edges[] = {0x1p-16382L, 0x1p-16445L, 0x1p16383L, -0x1p-16382L, 0x0.fffffffffffffffep-16382L, 0x1p-16381L, 0x1.fffffffffffffffep16383L};
    if (random_below(4) == 0)
        return edges[random_below(sizeof edges / sizeof *edges)];
    long double x = some_real();
    return random_below(2) ? x : ldexpl(x + some_real() / 3, (int)random_below(40000) - 20000);
}

static void long_doubles(void) {
    long double x = some_long(), y = random_below(4) ? some_long() : nextafterl(x, 0);
    int n = random_below(3) ? (int)random_below(200) - 100 : (int)random_below(80000) - 40000;
    EXACT("ldexpl", ldexpl(x, n), model_ldexpl(x, n));
    EXACT("scalbnl", scalbnl(x, n), model_scalbnl(x, n));
    EXACT("scalblnl", scalblnl(x, n), model_scalblnl(x, n));
    EXACT("ilogbl", ilogbl(x), model_ilogbl(x));
    EXACT("logbl", logbl(x), model_logbl(x));
    EXACT("nextafterl", nextafterl(x, y), model_nextafterl(x, y));
    EXACT("nexttowardl", nexttowardl(x, y), model_nexttowardl(x, y));
    double a = (double)y;
    float b = (float)y;
    EXACT("nexttoward", nexttoward(a, x), model_nexttoward(a, x));
    EXACT("nexttowardf", nexttowardf(b, x), model_nexttowardf(b, x));
    EXACT("remainderl", remainderl(x, y), model_remainderl(x, y));
    EXACT("dreml", dreml(x, y), model_dreml(x, y));
    EXACT("dremf", dremf(b, (float)x), model_dremf(b, (float)x));
    int exponent = 0, model_exponent = 0;
    EXACT("frexpl", frexpl(x, &exponent), model_frexpl(x, &model_exponent));
    EXPECT(exponent == model_exponent || isnan(x) || isinf(x), "frexpl of %Lg", x);
    double c = some_real(), d = random_below(3) ? some_real() : c / (1 + random_below(30)) * 2;
    int quotient = 0, model_quotient = 0;
#define QUOTIENT(name, left, right) \
    EXACT(#name, name(left, right, &quotient), model_##name(left, right, &model_quotient)); \
    EXPECT((quotient % 8 == model_quotient % 8 && (quotient == 0 || (quotient > 0) == (model_quotient > 0) || model_quotient == 0)) || !isfinite(left) || isnan(right) || right == 0, #name " of %La, %La: %d, not %d", \
           (long double)left, (long double)right, model_quotient, quotient)
    native_choice = 0;
    QUOTIENT(remquo, c, d);
    QUOTIENT(remquof, (float)c, (float)d);
    QUOTIENT(remquol, x, y);
    native_choice = -1;
}

static void fused(double x, double y) {
    double z = some_real();
    switch (random_below(4)) {
    case 0: z = -(x * y); break; /* What the product lacks remains. */
    case 1: z = ldexp(x * y, 53 - (int)random_below(3)); break; /* Ties. */
    }
    double got = model_fma(x, y, z), want = fma(x, y, z);
    EXPECT(same(got, want), "fma of %a, %a, %a: %a, not %a", x, y, z, got, want);
    float a = (float)x, b = (float)y, c = random_below(2) ? (float)z : -(a * b);
    EXPECT(same(model_fmaf(a, b, c), fmaf(a, b, c)), "fmaf of %a, %a, %a", a, b, c);
    EXPECT(yields_fmal(x, y, z, fmal(x, y, z)), "fmal of %a, %a, %a", x, y, z);
    long double more = x + (long double)y / 3;
    EXPECT(yields_fmal(more, y, z, fmal(more, y, z)), "fmal of %La, %a, %a", more, y, z);
    EXPECT(yields_fmal(y, more, z, fmal(y, more, z)), "fmal of %a, %La, %a", y, more, z);
}

static void payloads(void) {
    static const char *const tags[] = {"", "0", "1", "123", "0x7ffff", "017", "12a", "abc", "-1", "0xffffffffffffffffff", "1)2", "(", "_1"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        double want = nan(tags[i]), got = model_nan(tags[i]);
        EXPECT(!memcmp(&want, &got, sizeof got), "nan of %s", tags[i]);
        float want_f = nanf(tags[i]), got_f = model_nanf(tags[i]);
        EXPECT(!memcmp(&want_f, &got_f, sizeof got_f), "nanf of %s", tags[i]);
        long double want_l = nanl(tags[i]), got_l = model_nanl(tags[i]);
        EXPECT(!memcmp(&want_l, &got_l, 10), "nanl of %s", tags[i]);
    }
}

int main(void) {
    for (int i = 0; i < RUNS; i++) {
        double x = some_real(), y = some_real();
        fused(x, y);
        long_doubles();
#define TEST(name) test_##name(x, y);
        ONE(TEST)
        TWO(TEST)
        exact(x, y);
        sines(x, y);
        rounding(x, y);
        kinds(x);
    }
    payloads();
    /* Exact where everybody agrees. */
    EXPECT(model_pow(2, 10) == 1024 && model_pow(-3, 3) == -27 && model_exp(0) == 1 && model_log(1) == 0, "exact values");
#define COVER_TYPES(name) COVERS(#name), COVERS(#name "f"), COVERS(#name "l");
    ONE(COVER_TYPES)
    TWO(COVER_TYPES)
#define COVER_ROUND(name, result) COVER_TYPES(name)
    ROUNDING(COVER_ROUND)
#define COVER_KIND(name, expected) COVER_TYPES(name) COVER_TYPES(__##name)
    KINDS(COVER_KIND)
    COVER_TYPES(__fpclassify)
    COVER_TYPES(__signbit)
    COVER_TYPES(modf)
    COVER_TYPES(sincos)
    COVER_TYPES(fma)
    COVER_TYPES(nan)
    static const char *const names[] = {"remainder", "remainderf", "drem",     "ldexp",    "ldexpf", "scalbn", "scalbnf",
                                        "scalbln",   "scalblnf",   "frexp",    "frexpf",   "ilogb",  "ilogbf", "logb",
                                        "logbf",     "nextafter",  "nextafterf", "ldexpl", "scalbnl", "scalblnl", "frexpl",
                                        "ilogbl",    "logbl",      "nextafterl", "nexttoward", "nexttowardf", "nexttowardl",
                                        "remainderl", "dreml",     "dremf",    "remquo",   "remquof", "remquol"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
}
