/* complex_test.c: products, quotients and parts of complex numbers against the real library. */
#define _GNU_SOURCE
#include "native.h"

#include <complex.h>
#include <math.h>

#define RUNS 20000

static double some_real(void) {
    static const double edges[] = {0.0, -0.0, 1, -1, 0.5, INFINITY, -INFINITY, NAN, 1e300, -1e300};
    if (random_below(3) == 0)
        return edges[random_below(sizeof edges / sizeof *edges)];
    /* Small integers: exact, however many digits a product is computed with. */
    return (int)random_below(2001) - 1000;
}

/* The same number: signs of zeros count, NaNs are equal. */
static int same(long double left, long double right) {
    return isnan(left) ? isnan(right) : left == right && !signbit(left) == !signbit(right);
}

#define TEST(letter, type, suffix) \
    type _Complex __mul##letter##c3(type, type, type, type); \
    type _Complex __div##letter##c3(type, type, type, type); \
    MODEL_OF(__mul##letter##c3); \
    MODEL_OF(__div##letter##c3); \
    MODEL_OF(creal##suffix); \
    MODEL_OF(cimag##suffix); \
    MODEL_OF(conj##suffix); \
    static void test_##letter(void) { \
        for (int i = 0; i < RUNS; i++) { \
            type a = (type)some_real(), b = (type)some_real(), c = (type)some_real(), d = (type)some_real(); \
            type _Complex want = __mul##letter##c3(a, b, c, d), got = model___mul##letter##c3(a, b, c, d); \
            EXPECT(same(creal##suffix(want), model_creal##suffix(got)), "real part of %Lg %Lg * %Lg %Lg", (long double)a, \
                   (long double)b, (long double)c, (long double)d); \
            EXPECT(same(cimag##suffix(want), model_cimag##suffix(got)), "imaginary part of %Lg %Lg * %Lg %Lg", \
                   (long double)a, (long double)b, (long double)c, (long double)d); \
            type _Complex mirrored = model_conj##suffix(want); \
            EXPECT(same(creal##suffix(mirrored), creal##suffix(want)) && \
                       same(cimag##suffix(mirrored), -cimag##suffix(want)), \
                   "conjugate"); \
            want = __div##letter##c3(a, b, c, d); \
            long double choice = creal##suffix(want); \
            native_real_choice = &choice; \
            got = model___div##letter##c3(a, b, c, d); \
            native_real_choice = NULL; \
            EXPECT(same(creal##suffix(got), choice), "a quotient may be any value"); \
        } \
    }

TEST(s, float, f)
TEST(d, double, )
TEST(x, long double, l)

int main(void) {
    test_s();
    test_d();
    test_x();
    static const char *const names[] = {"__mulsc3", "__muldc3", "__mulxc3", "__divsc3", "__divdc3", "__divxc3", "crealf", "creal",
                                        "creall",   "cimagf",   "cimag",    "cimagl",   "conjf",    "conj",     "conjl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
}
