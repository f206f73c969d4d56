/* number_test.c: numbers in text, arithmetic, characters, sorting and searching against the real library. */
#define _GNU_SOURCE
#include "native.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <strings.h>
#include <wctype.h>

#define RUNS 4000

int *model___errno_location(void);

/* ---- strtol and its relatives ----------------------------------------------------------- */

static char *number_text(const char *const *pieces, unsigned count) {
    static char text[128];
    text[0] = 0;
    unsigned n = random_below(7);
    for (unsigned i = 0; i < n; i++)
        strcat(text, pieces[random_below(count)]);
    size_t length = strlen(text) + 1;
    return memcpy(guarded(0, length), text, length);
}

static char *integer_text(void) {
    static const char *const pieces[] = {
        "0", "1", "7", "9", "42", "-", "+", " ", "\t", "0x", "0X", "b", "z", "F", "x", "2147483647", "2147483648",
        "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "7fffffff", "ffffffffffffffff", "."};
    return number_text(pieces, sizeof pieces / sizeof *pieces);
}

static const int bases[] = {10, 10, 10, 0, 0, 16, 16, 8, 2, 36, 35, 11, 1, 37, -1};

#define INTEGER(type, name, real) \
    type model_##name(const char *, char **, int); \
    static void test_##name(void) { \
        char *text = integer_text(), *end = NULL, *model_end = NULL; \
        int base = bases[random_below(sizeof bases / sizeof *bases)]; \
        if (!strncmp(#name, "__isoc23_", 9) && strstr(text, "0b") && (base == 0 || base == 2)) \
            return; \
        errno = 0; \
        type expected = real(text, &end, base); \
        int expected_errno = errno; \
        *model___errno_location() = 0; \
        type value = 0; \
        enum ending ending = ATTEMPT(value = model_##name(text, &model_end, base)); \
        EXPECT(ending == RETURNED, "%s(\"%s\", %d) ends with %d", #name, text, base, ending); \
        EXPECT(value == expected, "%s(\"%s\", %d) = %lld, not %lld", #name, text, base, (long long)value, \
               (long long)expected); \
        EXPECT(base == 1 || base < 0 || base > 36 || model_end == end, "%s(\"%s\", %d): end", #name, text, base); \
        EXPECT(expected_errno == *model___errno_location(), "%s(\"%s\", %d): errno %d, not %d", #name, text, base, \
               *model___errno_location(), expected_errno); \
    }

/* The real library has C23's prefixes only later: without them, both must agree. */
INTEGER(long, strtol, strtol)
INTEGER(long, __isoc23_strtol, strtol)
INTEGER(long long, strtoll, strtoll)
INTEGER(long long, __isoc23_strtoll, strtoll)
INTEGER(long long, strtoq, strtoll)
INTEGER(intmax_t, strtoimax, strtoimax)
INTEGER(intmax_t, __isoc23_strtoimax, strtoimax)
INTEGER(unsigned long, strtoul, strtoul)
INTEGER(unsigned long, __isoc23_strtoul, strtoul)
INTEGER(unsigned long long, strtoull, strtoull)
INTEGER(unsigned long long, __isoc23_strtoull, strtoull)
INTEGER(unsigned long long, strtouq, strtoull)
INTEGER(uintmax_t, strtoumax, strtoumax)
INTEGER(uintmax_t, __isoc23_strtoumax, strtoumax)
long model___strtol_internal(const char *, char **, int, int);
unsigned long model___strtoul_internal(const char *, char **, int, int);
MODEL_OF(atoi);
MODEL_OF(atol);
MODEL_OF(atoll);

static void integers(void) {
    test_strtol(), test___isoc23_strtol(), test_strtoll(), test___isoc23_strtoll(), test_strtoq();
    test_strtoimax(), test___isoc23_strtoimax(), test_strtoul(), test___isoc23_strtoul();
    test_strtoull(), test___isoc23_strtoull(), test_strtouq(), test_strtoumax(), test___isoc23_strtoumax();
    char *text = integer_text();
    EXPECT(model_atoi(text) == atoi(text), "atoi(\"%s\")", text);
    EXPECT(model_atol(text) == atol(text), "atol(\"%s\")", text);
    EXPECT(model_atoll(text) == atoll(text), "atoll(\"%s\")", text);
    EXPECT(model___strtol_internal(text, NULL, 10, 0) == strtol(text, NULL, 10), "__strtol_internal(\"%s\")", text);
    EXPECT(model___strtoul_internal(text, NULL, 16, 0) == strtoul(text, NULL, 16), "__strtoul_internal(\"%s\")", text);
}

/* ---- strtod ----------------------------------------------------------------------------- */

MODEL_OF(strtod);
MODEL_OF(strtof);
MODEL_OF(strtold);
MODEL_OF(atof);

/* Where the model chooses freely, the sign is still right; `exact` says where it does not. */
#define FLOATING(type, name, exact) \
    do { \
        char *end = NULL, *model_end = NULL; \
        type expected = name(text, &end), value = 0; \
        enum ending ending = ATTEMPT(value = model_##name(text, &model_end)); \
        if (ending == ASSUMED_AWAY) \
            break; \
        EXPECT(ending == RETURNED, "%s(\"%s\") ends with %d", #name, text, ending); \
        EXPECT(end == model_end, "%s(\"%s\"): end %d, not %d", #name, text, (int)(model_end - text), (int)(end - text)); \
        EXPECT(isnan(expected) == isnan(value), "%s(\"%s\")", #name, text); \
        EXPECT(isnan(value) || !signbit(value) == !signbit(expected), "%s(\"%s\"): sign", #name, text); \
        if (exact) \
            EXPECT(isnan(value) || value == expected, "%s(\"%s\") = %Lg, not %Lg", #name, text, (long double)value, \
                   (long double)expected); \
    } while (0)

static void floating(void) {
    static const char *const pieces[] = {"0",  "1",   "7",   "9",   "42",  "-",    "+",   " ",  ".",  ".",    "e",
                                         "E-", "e+2", "inf", "NaN", "nan(", "x1)", "0x", "p3", "5",  "000",  "e22",
                                         "e23", "999999999999999", "infinity", "e-5", "12345678"};
    char *text = number_text(pieces, sizeof pieces / sizeof *pieces);
    /* Short and without large exponents: these must be exact. */
    size_t digits = 0;
    for (char *p = text; *p; p++)
        digits += *p >= '0' && *p <= '9';
    int is_simple = digits <= 7 && !strpbrk(text, "eExX");
    FLOATING(double, strtod, is_simple);
    FLOATING(float, strtof, is_simple);
    FLOATING(long double, strtold, is_simple);
    if (is_simple) {
        double value = 0;
        EXPECT(ATTEMPT(value = model_atof(text)) == RETURNED, "atof(\"%s\")", text);
        EXPECT(value == atof(text) || value != value, "atof(\"%s\")", text);
    }
}

/* ---- Arithmetic ------------------------------------------------------------------------- */

MODEL_OF(abs);
MODEL_OF(labs);
MODEL_OF(llabs);
MODEL_OF(imaxabs);
MODEL_OF(div);
MODEL_OF(ldiv);
MODEL_OF(lldiv);
MODEL_OF(imaxdiv);
MODEL_OF(ffs);
MODEL_OF(ffsl);
MODEL_OF(ffsll);

static long long some_number(void) {
    static const long long edges[] = {0, 1, -1, 2147483647, -2147483647 - 1, 9223372036854775807, -9223372036854775807 - 1};
    if (random_below(3) == 0)
        return edges[random_below(7)];
    return (long long)random_bits() >> random_below(63);
}

#define ABSOLUTE(type, name, minimum) \
    do { \
        type x = (type)some_number(), result = 0; \
        enum ending ending = ATTEMPT(result = model_##name(x)); \
        if (x == (minimum)) \
            EXPECT(ending == CHECK_FAILED && !strcmp(native_check, "overflow"), #name); \
        else \
            EXPECT(ending == RETURNED && result == name(x), #name); \
    } while (0)

#define DIVISION(type, name, result_type, minimum) \
    do { \
        type x = (type)some_number(), y = (type)some_number(); \
        result_type result = {0}; \
        enum ending ending = ATTEMPT(result = model_##name(x, y)); \
        if (y == 0) \
            EXPECT(ending == CHECK_FAILED && !strcmp(native_check, "div"), #name); \
        else if (x == (minimum) && y == -1) \
            EXPECT(ending == CHECK_FAILED && !strcmp(native_check, "overflow"), #name); \
        else \
            EXPECT(ending == RETURNED && result.quot == x / y && result.rem == x % y, #name); \
    } while (0)

static void arithmetic(void) {
    ABSOLUTE(int, abs, -2147483647 - 1);
    ABSOLUTE(long, labs, -__LONG_MAX__ - 1);
    ABSOLUTE(long long, llabs, -__LONG_LONG_MAX__ - 1);
    ABSOLUTE(intmax_t, imaxabs, -__LONG_LONG_MAX__ - 1);
    DIVISION(int, div, div_t, -2147483647 - 1);
    DIVISION(long, ldiv, ldiv_t, -__LONG_MAX__ - 1);
    DIVISION(long long, lldiv, lldiv_t, -__LONG_LONG_MAX__ - 1);
    DIVISION(intmax_t, imaxdiv, imaxdiv_t, -__LONG_LONG_MAX__ - 1);
    long long x = some_number();
    EXPECT(model_ffs((int)x) == ffs((int)x), "ffs");
    EXPECT(model_ffsl((long)x) == ffsl((long)x), "ffsl");
    EXPECT(model_ffsll(x) == ffsll(x), "ffsll");
}

/* ---- Characters ------------------------------------------------------------------------- */

const unsigned short **model___ctype_b_loc(void);
const int **model___ctype_tolower_loc(void);
const int **model___ctype_toupper_loc(void);
size_t model___ctype_get_mb_cur_max(void);

#define CLASSES(use) \
    use(alnum) use(alpha) use(blank) use(cntrl) use(digit) use(graph) use(lower) use(print) use(punct) use(space) \
    use(upper) use(xdigit)
#define DECLARE_CLASS(name) \
    int model_is##name(int); \
    int model_is##name##_l(int, void *); \
    int model_isw##name(wint_t);
CLASSES(DECLARE_CLASS)
MODEL_OF(toupper);
MODEL_OF(tolower);
MODEL_OF(towupper);
MODEL_OF(towlower);
int model_isascii(int);
int model_toascii(int);

static void characters(void) {
    for (int c = -128; c < 256; c++) {
#define TEST_CLASS(name) \
        EXPECT(model_is##name(c) == (is##name)(c), "is%s(%d) = %d, not %d", #name, c, model_is##name(c), (is##name)(c)); \
        EXPECT(model_is##name##_l(c, NULL) == (is##name)(c), "is%s_l(%d)", #name, c);
        CLASSES(TEST_CLASS)
        EXPECT(model_toupper(c) == (toupper)(c) && model_tolower(c) == (tolower)(c), "case of %d", c);
        EXPECT((*model___ctype_b_loc())[c] == (*__ctype_b_loc())[c], "class of %d", c);
        EXPECT((*model___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c], "lower case of %d", c);
        EXPECT((*model___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c], "upper case of %d", c);
        EXPECT(model_isascii(c) == (isascii(c) != 0) && model_toascii(c) == toascii(c), "ascii of %d", c);
    }
    for (wint_t c = 0; c < 2000; c++) {
#define TEST_WIDE_CLASS(name) \
        EXPECT(!model_isw##name(c) == !isw##name(c), "isw%s(%u)", #name, c);
        CLASSES(TEST_WIDE_CLASS)
        EXPECT(model_towupper(c) == towupper(c) && model_towlower(c) == towlower(c), "case of %u", c);
    }
    EXPECT(model___ctype_get_mb_cur_max() == MB_CUR_MAX, "MB_CUR_MAX");
    EXPECT(ATTEMPT(model_isalpha(256)) == CHECK_FAILED, "isalpha(256)");
    EXPECT(ATTEMPT(model_isalpha(-129)) == CHECK_FAILED, "isalpha(-129)");
}

/* ---- Arrays ----------------------------------------------------------------------------- */

MODEL_OF(qsort);
MODEL_OF(qsort_r);
MODEL_OF(bsearch);
MODEL_OF(lfind);
MODEL_OF(lsearch);

static size_t element_size;

static int compare(const void *left, const void *right) { return memcmp(left, right, element_size); }

static int compare_with(const void *left, const void *right, void *context) {
    return memcmp(left, right, *(size_t *)context);
}

static void arrays(void) {
    element_size = 1 + random_below(80);
    size_t count = random_below(20), bytes = count * element_size;
    char *real = guarded(0, bytes), *model = guarded(1, bytes);
    random_bytes(real, bytes, "ab");
    memcpy(model, real, bytes);
    qsort(real, count, element_size, compare);
    if (random_below(2))
        EXPECT(ATTEMPT(model_qsort(model, count, element_size, compare)) == RETURNED, "qsort");
    else
        EXPECT(ATTEMPT(model_qsort_r(model, count, element_size, compare_with, &element_size)) == RETURNED, "qsort_r");
    EXPECT(memcmp(real, model, bytes) == 0, "qsort");
    char key[80];
    random_bytes(key, element_size, "ab");
    if (count > 0 && random_below(2))
        memcpy(key, real + random_below((unsigned)count) * element_size, element_size);
    char *found = bsearch(key, real, count, element_size, compare);
    char *model_found = model_bsearch(key, real, count, element_size, compare);
    EXPECT(!found == !model_found && (!found || !compare(found, model_found)), "bsearch");
    EXPECT(lfind(key, real, &count, element_size, compare) == model_lfind(key, real, &count, element_size, compare), "lfind");
    char *larger = guarded(2, bytes + element_size);
    memcpy(larger, real, bytes);
    size_t model_count = count;
    char *place = NULL;
    EXPECT(ATTEMPT(place = model_lsearch(key, larger, &model_count, element_size, compare)) == RETURNED, "lsearch");
    EXPECT(!compare(place, key) && model_count == count + (found == NULL), "lsearch");
    EXPECT(model_count == count || place == larger + bytes, "lsearch");
}

int main(void) {
    for (int i = 0; i < RUNS; i++) {
        integers();
        floating();
        arithmetic();
        if (i < 500)
            arrays();
    }
    characters();
    EXPECT(model___isoc23_strtol("0b101", NULL, 0) == 5 && model___isoc23_strtoull("-0B1", NULL, 2) == -1ULL, "binary numbers");
    EXPECT(model_strtol("0b101", NULL, 0) == 0 && model___isoc23_strtol("0b2", NULL, 0) == 0, "no binary numbers");
    static const char *const names[] = {
        "strtol", "__isoc23_strtol", "strtoll", "__isoc23_strtoll", "strtoq", "strtoimax", "__isoc23_strtoimax",
        "strtoul", "__isoc23_strtoul", "strtoull", "__isoc23_strtoull", "strtouq", "strtoumax", "__isoc23_strtoumax",
        "__strtol_internal", "__strtoul_internal", "atoi", "atol", "atoll", "strtod", "strtof", "strtold", "atof",
        "abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "imaxdiv", "ffs", "ffsl", "ffsll", "toupper",
        "tolower", "towupper", "towlower", "isascii", "toascii", "__ctype_b_loc", "__ctype_tolower_loc",
        "__ctype_toupper_loc", "__ctype_get_mb_cur_max", "qsort", "qsort_r", "bsearch", "lfind", "lsearch",
        "__errno_location", "__selkie_errno"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
#define COVER_CLASS(name) COVERS("is" #name), COVERS("is" #name "_l"), COVERS("isw" #name);
    CLASSES(COVER_CLASS)
}
