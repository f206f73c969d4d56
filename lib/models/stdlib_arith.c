/* stdlib_arith.c: absolute values and divisions. */
#include <selkie/model.h>

#define stdlib_arith_abs(type, x) \
    do { \
        type value = (x); \
        __selkie_check(value == 0 || -value != value, "overflow", "absolute value fits its type"); \
        return value < 0 ? -value : value; \
    } while (0)

#define stdlib_arith_div(n, d) \
    do { \
        __selkie_check((d) != 0, "div", "division by zero"); \
        __selkie_check(!((d) == -1 && (n) != 0 && -(n) == (n)), "overflow", "quotient fits its type"); \
    } while (0)

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { intmax_t quot, rem; } imaxdiv_t;

MODEL int abs(int x) { stdlib_arith_abs(int, x); }
MODEL long labs(long x) { stdlib_arith_abs(long, x); }
MODEL long long llabs(long long x) { stdlib_arith_abs(long long, x); }
MODEL intmax_t imaxabs(intmax_t x) { stdlib_arith_abs(intmax_t, x); }

MODEL div_t div(int n, int d) {
    stdlib_arith_div(n, d);
    return (div_t){n / d, n % d};
}

MODEL ldiv_t ldiv(long n, long d) {
    stdlib_arith_div(n, d);
    return (ldiv_t){n / d, n % d};
}

MODEL lldiv_t lldiv(long long n, long long d) {
    stdlib_arith_div(n, d);
    return (lldiv_t){n / d, n % d};
}

MODEL imaxdiv_t imaxdiv(intmax_t n, intmax_t d) {
    stdlib_arith_div(n, d);
    return (imaxdiv_t){n / d, n % d};
}

MODEL int ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
MODEL int ffsl(long x) { return x ? __builtin_ctzl(x) + 1 : 0; }
MODEL int ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }
