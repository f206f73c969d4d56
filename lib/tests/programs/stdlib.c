/* As string.c: numbers, allocation, sorting, the end of the program, mathematics. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <selkie.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

static int at_end;
static void check_end(void) { sk_assert(at_end == 1); }
static void set_end(void) { at_end = 1; }

/// holds: strtol strtoul strtoll strtoull atoi atol
{
    char *end;
    sk_assert(strtol("-0x1fz", &end, 0) == -31 && *end == 'z');
    errno = 0;
    sk_assert(strtol("99999999999999999999", NULL, 10) == __LONG_MAX__ && errno == ERANGE);
    sk_assert(strtoul("-1", NULL, 10) == (unsigned long)-1 && strtoull("777", NULL, 8) == 511 && atoi(" 42x") == 42);
    sk_assert(strtoll("-9223372036854775808", NULL, 10) == -9223372036854775807LL - 1);
}
/// violates deref: strtol
{
    char open[2] = {'1', '2'};
    strtol(open, NULL, 10);
}
/// violates deref: atoi
{
    atoi(NULL);
}
/// holds: strtod atof strtof
{
    char *end;
    sk_assert(strtod("-1.5e2x", &end) == -150 && *end == 'x' && atof(".25") == 0.25 && strtof("8", NULL) == 8);
}
/// violates deref: strtod
{
    char open[2] = {'1', '2'};
    strtod(open, NULL);
}
/// holds: realloc reallocarray
{
    int *p = malloc(2 * sizeof *p);
    p[0] = 7;
    p[1] = 8;
    p = realloc(p, 4 * sizeof *p);
    sk_assert(p[0] == 7 && p[1] == 8);
    p[3] = 9;
    p = reallocarray(p, 1, sizeof *p);
    sk_assert(p[0] == 7);
    free(p);
    sk_assert(!realloc(malloc(1), 0));
    char *q = realloc(NULL, 1);
    free(q);
}
/// violates deref: realloc
{
    char *p = malloc(2), *q = realloc(p, 4);
    q[0] = p[0];
}
/// violates free: realloc
{
    char *p = malloc(2);
    realloc(p + 1, 4);
}
/// violates free: realloc
{
    char a[4];
    realloc(a, 8);
}
/// violates deref: realloc
{
    char *p = realloc(malloc(8), 4);
    p[4] = 0;
}
/// violates leak: realloc
{
    realloc(malloc(8), 4);
}
/// holds: aligned_alloc posix_memalign memalign malloc_usable_size
{
    void *p = aligned_alloc(64, 128), *q = NULL;
    sk_assert((uintptr_t)p % 64 == 0 && malloc_usable_size(p) == 128);
    sk_assert(posix_memalign(&q, 4096, 10) == 0 && (uintptr_t)q % 4096 == 0);
    void *r = memalign(32, 1);
    sk_assert((uintptr_t)r % 32 == 0 && posix_memalign(&p, 3, 1) == EINVAL);
    free(p);
    free(q);
    free(r);
}
/// violates deref: aligned_alloc
{
    char *p = aligned_alloc(16, 4);
    p[4] = 0;
}
/// holds: qsort bsearch
{
    int a[5] = {3, 1, 2, 5, 4}, key = 4;
    qsort(a, 5, sizeof *a, compare);
    for (int i = 0; i < 5; i++)
        sk_assert(a[i] == i + 1);
    sk_assert(bsearch(&key, a, 5, sizeof *a, compare) == &a[3]);
    int b[3] = {sk_nondet_short(), sk_nondet_short(), sk_nondet_short()};
    qsort(b, 3, sizeof *b, compare);
    sk_assert(b[0] <= b[1] && b[1] <= b[2]);
}
/// violates deref: qsort
{
    int a[2] = {2, 1};
    qsort(a, 3, sizeof *a, compare);
}
/// violates deref: bsearch
{
    int a[2] = {1, 2}, key = 3;
    bsearch(&key, a, 3, sizeof *a, compare);
}
/// holds: abs labs div imaxabs ffs
{
    int x = sk_nondet_int();
    sk_assume(x != -2147483647 - 1);
    sk_assert(abs(x) >= 0 && labs(-5) == 5 && imaxabs(-6) == 6);
    div_t d = div(-7, 2);
    sk_assert(d.quot == -3 && d.rem == -1 && (ffs)(8) == 4);
}
/// violates overflow: abs
{
    int x = -2147483647 - 1;
    abs(x);
}
/// violates div: div
{
    int zero = 0;
    div(1, zero);
}
/// holds: rand random rand_r drand48 srand
{
    srand(time(NULL));
    unsigned seed = 1;
    sk_assert(rand() >= 0 && random() >= 0 && rand_r(&seed) >= 0);
    double d = drand48();
    sk_assert(d >= 0 && d < 1);
}
/// violates assert: rand
{
    sk_assert(rand() != 0);
}
/// holds: getenv setenv unsetenv
{
    char *a = getenv("A");
    if (a) {
        sk_assume(strlen(a) < 10);
        sk_assert(getenv("A") == a);
    }
    setenv("B", "x", 1);
    sk_assert(!strcmp(getenv("B"), "x"));
    unsetenv("B");
    sk_assert(!getenv("B"));
}
/// violates deref: getenv
{
    char *a = getenv("A");
    (void)*a;
    a[0] == 0 ? sk_assume(1) : sk_assume(1);
}
/// violates free: getenv
{
    char *a = getenv("A");
    if (a)
        free(a);
}
/// holds: exit atexit
{
    atexit(check_end);
    atexit(set_end);
    exit(0);
}
/// violates assert: exit
{
    atexit(set_end);
    atexit(check_end);
    exit(0);
}
/// violates assert: atexit
{
    atexit(check_end);
}
/// holds: _Exit
{
    atexit(check_end);
    _Exit(1);
}
/// violates leak: exit
{
    malloc(1);
    exit(0);
}
/// holds: fabs sqrt floor ceil round trunc fmod copysign fmin rint
{
    sk_assert(fabs(-2.5) == 2.5 && sqrt(16) == 4 && floor(-1.5) == -2 && ceil(1.2) == 2 && round(2.5) == 3 && trunc(-1.7) == -1);
    sk_assert(fmod(7, 3) == 1 && copysign(1, -2) == -1 && fmin(1, 2) == 1 && rint(2.5) == 2 && fabsf(-1) == 1);
    sk_assert(sqrt(-1) != sqrt(-1) && errno == EDOM);
}
/// holds: sin cos exp log pow atan2 ldexp frexp modf lround isnan
{
    double x = sk_nondet_double();
    sk_assume(x > -100 && x < 100);
    sk_assert(sin(x) >= -1 && cos(x) <= 1 && exp(x) >= 0 && atan2(x, 1) < 4);
    sk_assert(pow(2, 10) == 1024 && log(1) == 0 && ldexp(3, 2) == 12 && lround(-2.5) == -3);
    int e;
    double whole;
    sk_assert(frexp(12, &e) == 0.75 && e == 4 && modf(-1.5, &whole) == -0.5 && whole == -1);
    sk_assert(isnan(NAN) && !isnan(x) && isinf(INFINITY) && signbit(-0.0));
}
/// violates deref: frexp
{
    frexp(1, NULL);
}
/// violates assert: sin
{
    sk_assert(sin(1) > 0.9);
}
