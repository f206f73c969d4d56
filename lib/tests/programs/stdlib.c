/* As string.c: numbers, allocation, sorting, the end of the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <search.h>
#include <selkie.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* Headers call the functions that read numbers by other names, depending on the standard that is asked for. */
#define READER(result, name) result name(const char *, char **, int), plain_##name(const char *, char **, int) __asm__(#name)
READER(long, strtol);
READER(long long, strtoll);
READER(unsigned long, strtoul);
READER(unsigned long long, strtoull);
READER(intmax_t, strtoimax);
READER(uintmax_t, strtoumax);
READER(long long, strtoq);
READER(unsigned long long, strtouq);
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
intmax_t __isoc23_strtoimax(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
uintmax_t __isoc23_strtoumax(const char *, char **, int);
long __strtol_internal(const char *, char **, int, int);
unsigned long __strtoul_internal(const char *, char **, int, int);

/* Of C++, of other systems, and of older ones. */
int __cxa_atexit(void (*)(void *), void *, void *);
void *reallocf(void *, size_t), cfree(void *);
uint32_t arc4random(void), arc4random_uniform(uint32_t);
void arc4random_buf(void *, size_t);
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

/* A string without a terminator. */
static char open[2] = {'1', '2'};

/* Smallest numbers, which have no absolute value. */
static int least = -2147483647 - 1;
static long least_long = -__LONG_MAX__ - 1;
static long long least_longlong = -__LONG_LONG_MAX__ - 1;
static int zero = 0, minus_one = -1;

static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

static int at_end;
static void check_end(void) { sk_assert(at_end == 1); }
static void set_end(void) { at_end = 1; }
static void check_argument(void *argument) { sk_assert(*(int *)argument == 1); }
static void check_status(int status, void *argument) { sk_assert(status == *(int *)argument); }
static int compare_with(const void *left, const void *right, void *sign) { return *(int *)sign * compare(left, right); }

/// holds: strtol strtoul strtoll strtoull atoi atol atoll
{
    char *end;
    sk_assert(atol("-7") == -7 && atoll("8000000000") == 8000000000LL && plain_strtol("-0x1fz", &end, 0) == -31 && *end == 'z');
    errno = 0;
    sk_assert(plain_strtol("99999999999999999999", NULL, 10) == __LONG_MAX__ && errno == ERANGE);
    sk_assert(plain_strtoul("-1", NULL, 10) == (unsigned long)-1 && plain_strtoull("777", NULL, 8) == 511 && atoi(" 42x") == 42);
    sk_assert(plain_strtoll("-9223372036854775808", NULL, 10) == -9223372036854775807LL - 1);
}
/// violates deref: strtol strtoll strtoul strtoull strtoimax strtoumax strtoq strtouq
{
    plain_FUNCTION(open, NULL, 10);
}
/// violates deref: strtol strtoll strtoul strtoull strtoimax strtoumax strtoq strtouq
{
    plain_FUNCTION("12", (char **)"constant", 10);
}
/// violates deref: __isoc23_strtol __isoc23_strtoll __isoc23_strtoimax __isoc23_strtoul __isoc23_strtoull __isoc23_strtoumax
{
    FUNCTION(open, NULL, 10);
}
/// violates deref: __strtol_internal __strtoul_internal
{
    FUNCTION(open, NULL, 10, 0);
}
/// violates deref: atoi atol atoll atof
{
    FUNCTION(open);
}
/// holds: strtol strtoll strtoul strtoull strtoimax strtoumax strtoq strtouq
{
    char *end;
    const char *text = " +077x";
    sk_assert(plain_FUNCTION(text, &end, 0) == 63 && end == text + 5 && plain_FUNCTION("zz", NULL, 36) == 1295);
    sk_assert(plain_FUNCTION("0b11", &end, 0) == 0 && *end == 'b' && plain_FUNCTION(text = "none", &end, 10) == 0 && end == text);
    errno = 0;
    sk_assert(plain_FUNCTION("1", NULL, 37) == 0 && errno == EINVAL);
}
/// holds: __isoc23_strtol __isoc23_strtoll __isoc23_strtoimax __isoc23_strtoul __isoc23_strtoull __isoc23_strtoumax
{
    char *end;
    sk_assert(FUNCTION("0b11", &end, 0) == 3 && *end == 0 && FUNCTION("-0B1", NULL, 2) == -1);
}
/// holds: __strtol_internal __strtoul_internal
{
    sk_assert(FUNCTION("12", NULL, 10, 0) == 12 && FUNCTION("0x10", NULL, 16, 0) == 16);
}
/// violates deref: atoi
{
    atoi(NULL);
}
/// holds: strtod atof strtof strtold
{
    char *end;
    sk_assert(strtold("0.5", &end) == 0.5L && *end == 0 && strtod("inf", NULL) > 1e308 && strtod("-1.5e2x", &end) == -150 && *end == 'x' && atof(".25") == 0.25 && strtof("8", NULL) == 8);
}
/// violates deref: strtod strtof strtold
{
    FUNCTION(open, NULL);
}
/// violates deref: strtod strtof strtold
{
    FUNCTION(NULL, NULL);
}
/// holds: realloc reallocarray reallocf
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
    *q = 'x';
    q = reallocf(q, 2);
    sk_assert(*q == 'x' && !reallocarray(q, (size_t)-1, 2) && errno == ENOMEM);
    free(q);
}
/// violates deref: realloc
{
    char *p = malloc(2), *q = realloc(p, 4);
    q[0] = p[0];
}
/// violates free: realloc reallocf
{
    char *p = malloc(2);
    FUNCTION(p + 1, 4);
}
/// violates free: realloc reallocf
{
    char *p = malloc(2);
    free(p);
    FUNCTION(p, 4);
}
/// violates free: reallocarray
{
    int local;
    reallocarray(&local, 2, 4);
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
/// holds: valloc cfree malloc_usable_size
{
    void *p = valloc(10);
    sk_assert((uintptr_t)p % 4096 == 0 && malloc_usable_size(p) >= 10 && malloc_usable_size(NULL) == 0);
    cfree(p);
    cfree(NULL);
}
/// violates deref: aligned_alloc memalign
{
    char *p = FUNCTION(64, 4);
    p[4] = 0;
}
/// violates unsupported: aligned_alloc memalign
{
    FUNCTION(1 << 20, 4);
}
/// violates deref: posix_memalign
{
    posix_memalign(NULL, 64, 4);
}
/// violates leak: valloc
{
    valloc(1);
}
/// violates free: cfree
{
    char *p = malloc(1);
    cfree(p);
    cfree(p);
}
/// violates free: malloc_usable_size
{
    char *p = malloc(1);
    free(p);
    malloc_usable_size(p);
}
/// violates free: malloc_usable_size
{
    malloc_usable_size(open);
}
/// holds: malloc calloc free alloca
{
    char *p = malloc(3), *q = calloc(2, 3), *r = alloca(4);
    p[2] = 1;
    r[3] = 1;
    sk_assert(q[0] == 0 && q[5] == 0 && !calloc((size_t)-1, 2) && p != q && r != p);
    free(p);
    free(q);
    free(NULL);
}
/// violates deref: malloc
{
    char *p = malloc(3);
    p[3] = 0;
    free(p);
}
/// violates leak: malloc
{
    malloc(3);
}
/// violates deref: calloc
{
    char *p = calloc(2, 3);
    p[6] = 0;
    free(p);
}
/// violates leak: calloc
{
    calloc(2, 3);
}
/// violates deref: alloca
{
    char *p = alloca(sk_nondet_bool() ? 4 : 5);
    p[4] = 0;
}
/// violates free: alloca
{
    free(alloca(4));
}
/// violates free: free
{
    char *p = malloc(1);
    free(p);
    free(p);
}
/// violates deref: free
{
    char *p = malloc(1);
    free(p);
    *p = 0;
}
/// holds: qsort_r lfind lsearch
{
    int a[4] = {2, 3, 1, 0}, key = 1, up = 1, down = -1;
    qsort_r(a, 3, sizeof *a, compare_with, &up);
    sk_assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
    qsort_r(a, 3, sizeof *a, compare_with, &down);
    sk_assert(a[0] == 3 && a[1] == 2 && a[2] == 1);
    size_t count = 3;
    sk_assert(lfind(&key, a, &count, sizeof *a, compare) == &a[2] && lsearch(&key, a, &count, sizeof *a, compare) == &a[2]);
    key = 7;
    sk_assert(!lfind(&key, a, &count, sizeof *a, compare) && lsearch(&key, a, &count, sizeof *a, compare) == &a[3]);
    sk_assert(count == 4 && a[3] == 7);
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
/// violates deref: qsort
{
    /* The size of the array is no size_t. */
    int a[2] = {2, 1};
    qsort(a, (size_t)-1 / 4 + 1, 4, compare);
}
/// violates deref: qsort_r
{
    int a[2] = {2, 1}, up = 1;
    qsort_r(a, 3, sizeof *a, compare_with, &up);
}
/// violates deref: bsearch
{
    int a[2] = {1, 2}, key = 3;
    bsearch(&key, a, 2, sizeof *a, NULL);
}
/// violates deref: lfind lsearch
{
    int a[2] = {1, 2}, key = 3;
    FUNCTION(&key, a, NULL, sizeof *a, compare);
}
/// violates deref: lsearch
{
    /* There is no room for a further element. */
    int a[2] = {1, 2}, key = 3;
    size_t count = 2;
    lsearch(&key, a, &count, sizeof *a, compare);
}
/// violates deref: bsearch
{
    int a[2] = {1, 2}, key = 3;
    bsearch(&key, a, 3, sizeof *a, compare);
}
/// holds: abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll
{
    int x = sk_nondet_int();
    sk_assume(x != least);
    sk_assert(abs(x) >= 0 && labs(-5) == 5 && llabs(-5) == 5 && imaxabs(-6) == 6);
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(-7, -2);
    lldiv_t ll = lldiv(least_longlong, 2);
    imaxdiv_t m = imaxdiv(7, -2);
    sk_assert(d.quot == -3 && d.rem == -1 && l.quot == 3 && l.rem == -1 && ll.quot == least_longlong / 2 && ll.rem == 0);
    sk_assert(m.quot == -3 && m.rem == 1 && (ffs)(8) == 4 && (ffs)(0) == 0 && (ffsl)(least_long) == sizeof(long) * 8);
    sk_assert((ffsll)(least_longlong) == 64);
}
/// violates overflow: abs
{
    abs(least);
}
/// violates overflow: labs
{
    labs(least_long);
}
/// violates overflow: llabs imaxabs
{
    FUNCTION(least_longlong);
}
/// violates div: div ldiv lldiv imaxdiv
{
    FUNCTION(1, zero);
}
/// violates overflow: div
{
    div(least, minus_one);
}
/// violates overflow: ldiv
{
    ldiv(least_long, minus_one);
}
/// violates overflow: lldiv imaxdiv
{
    FUNCTION(least_longlong, minus_one);
}
/// holds: lrand48 mrand48 erand48 nrand48 jrand48 srandom srand48 seed48 lcong48
{
    unsigned short state[3] = {1, 2, 3}, parameters[7] = {0};
    srandom(1);
    srand48(1);
    sk_assert(lrand48() >= 0 && mrand48() <= 0x7fffffff && nrand48(state) >= 0 && jrand48(state) >= -0x7fffffffL - 1);
    double d = erand48(state);
    sk_assert(d >= 0 && d < 1 && seed48(state) != NULL);
    lcong48(parameters);
}
/// holds: arc4random arc4random_uniform arc4random_buf getentropy getrandom
{
    uint32_t x = arc4random();
    char p[4] = "abc";
    sk_assert(arc4random_uniform(10) < 10 && x == x);
    arc4random_buf(p, 3);
    sk_assert(p[3] == 0 && getentropy(p, 3) <= 0 && getrandom(p, 3, 0) <= 3 && p[3] == 0 && getentropy(p, 1000) == -1);
}
/// violates deref: rand_r
{
    rand_r(NULL);
}
/// violates deref: erand48 nrand48 jrand48
{
    FUNCTION((unsigned short *)"constant");
}
/// violates deref: seed48
{
    unsigned short state[2] = {0};
    seed48(state);
}
/// violates deref: lcong48
{
    unsigned short parameters[6] = {0};
    lcong48(parameters);
}
/// violates deref: arc4random_buf getentropy
{
    char p[3];
    FUNCTION(p, 4);
}
/// violates deref: getrandom
{
    char p[3];
    getrandom(p, 4, 0);
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
/// holds: secure_getenv putenv
{
    char *a = secure_getenv("A");
    sk_assume(!a || strlen(a) < 10);
    static char entry[] = "C=xyz";
    putenv(entry);
    entry[2] = 'q';
    sk_assert(!strcmp(getenv("C"), "qyz"));
    a = secure_getenv("C");
    sk_assert(!a || a == entry + 2);
    sk_assert(setenv("C", "other", 0) == 0 && getenv("C") == entry + 2 && setenv("", "x", 1) == -1 && unsetenv("C=") == -1);
}
/// violates deref: getenv secure_getenv unsetenv
{
    FUNCTION(open);
}
/// violates deref: putenv
{
    putenv(open);
}
/// violates deref: setenv
{
    setenv("A", open, 1);
}
/// violates deref: setenv
{
    setenv(open, "x", 1);
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
/// violates unsupported: atexit
{
    for (int i = 0; i < 33; i++)
        atexit(set_end);
}
/// violates unsupported: at_quick_exit
{
    for (int i = 0; i < 33; i++)
        at_quick_exit(set_end);
}
/// violates unsupported: on_exit
{
    for (int i = 0; i < 33; i++)
        on_exit(check_status, &zero);
}
/// violates unsupported: __cxa_atexit
{
    for (int i = 0; i < 33; i++)
        __cxa_atexit(check_argument, &zero, NULL);
}
/// violates assert: __cxa_atexit
{
    __cxa_atexit(check_argument, &zero, NULL);
}
/// violates assert: on_exit
{
    on_exit(check_status, &zero);
    exit(3);
}
/// violates assert: at_quick_exit
{
    at_quick_exit(check_end);
    quick_exit(0);
}
/// violates deref: exit
{
    atexit(NULL);
    exit(0);
}
/// violates deref: exit
{
    on_exit(NULL, NULL);
    exit(0);
}
/// violates call-target: exit
{
    atexit((void (*)(void))(void *)open);
    exit(0);
}
/// violates leak: quick_exit
{
    malloc(1);
    quick_exit(0);
}
/// violates deref: quick_exit
{
    at_quick_exit(NULL);
    quick_exit(0);
}
/// holds: on_exit __cxa_atexit
{
    static int three = 3, one = 1;
    on_exit(check_status, &three);
    __cxa_atexit(check_argument, &one, NULL);
    exit(3);
}
/// holds: at_quick_exit quick_exit
{
    atexit(check_end);
    at_quick_exit(check_end);
    at_quick_exit(set_end);
    quick_exit(0);
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
/// holds: system mkstemp mktemp mkdtemp
{
    sk_assert(system(NULL) == system(NULL) || zero == 0);
    system("true");
    char name[] = "nameXXXXXX";
    int file = mkstemp(name);
    sk_assert(file >= -1 && name[0] == 'n' && strlen(name) == 10);
    char other[] = "XXXXXX", folder[] = "XXXXXX";
    sk_assert(mktemp(other) == other && (other[0] == 0 || strlen(other) == 6));
    char *made = mkdtemp(folder);
    sk_assert((!made || made == folder) && strlen(folder) == 6);
}
/// holds: realpath
{
    char *path = realpath(".", NULL), *room = malloc(4096);
    sk_assert(!path || (path[0] == '/' && path[1] != path[0]) || zero == 0);
    char *other = realpath(".", room);
    sk_assert(!other || other == room);
    free(path);
    free(room);
}
/// violates deref: system mkstemp mktemp mkdtemp
{
    FUNCTION(open);
}
/// violates deref: mkstemp mktemp mkdtemp
{
    FUNCTION((char *)"XXXXXX");
}
/// violates deref: realpath
{
    char room[4095];
    realpath(".", room);
}
/// violates deref: realpath
{
    realpath(open, NULL);
}
/// violates leak: realpath
{
    realpath(".", NULL);
}
/// holds: __errno_location __VERIFIER_atomic_begin __VERIFIER_atomic_end
{
    errno = 0;
    int *place = &errno;
    __VERIFIER_atomic_begin();
    sk_assert(strtol("1", NULL, 99) == 0 && *place == EINVAL);
    __VERIFIER_atomic_end();
}

/* ---- What repeats ----------------------------------------------------------------------- */

/// holds: rand srand
{
    srand(7);
    int a = rand(), b = rand();
    srand(8);
    int c = rand();
    srand(7);
    sk_assert(rand() == a && rand() == b);
    srand(8);
    sk_assert(rand() == c);
}
/// holds: random srandom rand
{
    int a = rand();
    srandom(1);
    sk_assert(random() == a);
}
/// violates assert: rand
{
    srand(1);
    int a = rand();
    sk_assert(rand() == a);
}
/// violates assert: srand
{
    srand(1);
    int a = rand();
    srand(2);
    sk_assert(rand() == a);
}
/// holds: srand48 lrand48 mrand48 drand48 seed48 lcong48 erand48 nrand48 jrand48
{
    unsigned short state[3] = {0x330e, 1, 0}, other[3] = {0x330e, 1, 0}, all[7] = {1, 0, 0, 2, 0, 0, 3};
    srand48(1);
    long a = lrand48();
    sk_assert(nrand48(state) == a && a == 89400484);
    double d = drand48();
    sk_assert(d >= 0 && d < 1 && erand48(state) == d);
    sk_assert(jrand48(state) == mrand48());
    seed48(other);
    sk_assert(lrand48() == a);
    lcong48(all);
    lrand48();
    unsigned short *before = seed48(other);
    sk_assert(before[0] == 5 && before[1] == 0 && before[2] == 0);
}
/// violates assert: lrand48 drand48
{
    sk_assert(FUNCTION() != 0);
}
/// holds: rand_r
{
    unsigned one = 1, two = 1;
    sk_assert(rand_r(&one) == rand_r(&two) && one == two);
}
/// holds: secure_getenv getenv
{
    char *value = secure_getenv("HOME");
    sk_assert(!value || value == getenv("HOME"));
    value = getenv("HOME");
    sk_assert(!value || strlen(value) < 131072);
}
/// holds: mkstemp
{
    char name[] = "aXXXXXX", other[] = "bXXXXXX";
    int one = mkstemp(name), two = mkstemp(other);
    sk_assert(one == -1 || two == -1 || one != two);
}
