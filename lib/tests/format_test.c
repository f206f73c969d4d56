/* format_test.c: the printf and scanf families against the real library. */
#define _GNU_SOURCE
#include "native.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <wchar.h>

#define RUNS 20000
#define ROOM 6000

MODEL_OF(sprintf);
MODEL_OF(snprintf);
MODEL_OF(vsprintf);
MODEL_OF(vsnprintf);
MODEL_OF(asprintf);
MODEL_OF(vasprintf);
MODEL_OF(printf);
MODEL_OF(vprintf);
MODEL_OF(dprintf);
MODEL_OF(vdprintf);
MODEL_OF(sscanf);
MODEL_OF(vsscanf);
MODEL_OF(swprintf);
MODEL_OF(vswprintf);
MODEL_OF(wprintf);
int model___printf_chk(int, const char *, ...);
int model___vprintf_chk(int, const char *, va_list);
int model___sprintf_chk(char *, int, size_t, const char *, ...);
int model___vsprintf_chk(char *, int, size_t, const char *, va_list);
int model___snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int model___vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int model___asprintf_chk(char **, int, const char *, ...);
int model___vasprintf_chk(char **, int, const char *, va_list);
int model___swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
int model___isoc99_sscanf(const char *, const char *, ...);
int model___isoc99_vsscanf(const char *, const char *, va_list);
int model___isoc23_sscanf(const char *, const char *, ...);
int model___isoc23_vsscanf(const char *, const char *, va_list);
int model___vswprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, va_list);
#define SCAN_WIDE(name) int model_##name(const wchar_t *, const wchar_t *, ...), model___isoc99_##name(const wchar_t *, const wchar_t *, ...)
#define SCAN_WIDE_LIST(name) int model_##name(const wchar_t *, const wchar_t *, va_list)
SCAN_WIDE(swscanf);
int model___isoc23_swscanf(const wchar_t *, const wchar_t *, ...);
SCAN_WIDE_LIST(vswscanf);
SCAN_WIDE_LIST(__isoc99_vswscanf);
SCAN_WIDE_LIST(__isoc23_vswscanf);

/* ---- Every entry to the same text ------------------------------------------------------- */

static char expected[ROOM], *text;
static int expected_count;

static void list_functions(const char *format, ...) {
    va_list list;
#define WITH_LIST(call) \
    do { \
        va_start(list, format); \
        call; \
        va_end(list); \
    } while (0)
    int count = 0;
    char *made = NULL;
    WITH_LIST(count = vsnprintf(expected, ROOM, format, list));
    text = guarded(1, count + 1);
#define SAME_TEXT(name, call) \
    do { \
        memset(text, '#', count + 1); \
        int result = -2; \
        WITH_LIST(EXPECT(ATTEMPT(result = call) == RETURNED, "%s(\"%s\")", name, format)); \
        EXPECT(result == count && strcmp(text, expected) == 0, "%s(\"%s\") = %d \"%s\", not %d \"%s\"", name, format, \
               result, text, count, expected); \
    } while (0)
    SAME_TEXT("vsprintf", model_vsprintf(text, format, list));
    SAME_TEXT("__vsprintf_chk", model___vsprintf_chk(text, 1, count + 1, format, list));
    SAME_TEXT("vsnprintf", model_vsnprintf(text, count + 1, format, list));
    SAME_TEXT("__vsnprintf_chk", model___vsnprintf_chk(text, count + 1, 1, count + 1, format, list));
    WITH_LIST(EXPECT(ATTEMPT(model_vasprintf(&made, format, list)) == RETURNED && !strcmp(made, expected), "vasprintf"));
    WITH_LIST(
        EXPECT(ATTEMPT(model___vasprintf_chk(&made, 1, format, list)) == RETURNED && !strcmp(made, expected), "vasprintf"));
    WITH_LIST(EXPECT(ATTEMPT(model_vprintf(format, list)) != FAULT, "vprintf"));
    WITH_LIST(EXPECT(ATTEMPT(model___vprintf_chk(1, format, list)) != FAULT, "vprintf"));
    WITH_LIST(EXPECT(ATTEMPT(model_vdprintf(1, format, list)) != FAULT, "vdprintf"));
}

static void all_functions(void) {
    const char *format = "%5d|%-6s|%.2s|%c|%#x|%%|%ld";
#define ARGUMENTS format, -42, "abc", "xyz", 'q', 255, 1234567L
    int count = snprintf(expected, ROOM, ARGUMENTS), result = -2;
    char *made = NULL;
    list_functions(ARGUMENTS);
#define EVERY(name, call) \
    EXPECT(ATTEMPT(result = call) == RETURNED && result == count && !strcmp(text, expected), "%s: \"%s\"", name, text)
    text = guarded(1, count + 1);
    EVERY("sprintf", model_sprintf(text, ARGUMENTS));
    EVERY("__sprintf_chk", model___sprintf_chk(text, 1, count + 1, ARGUMENTS));
    EVERY("snprintf", model_snprintf(text, count + 1, ARGUMENTS));
    EVERY("__snprintf_chk", model___snprintf_chk(text, count + 1, 1, count + 1, ARGUMENTS));
    EXPECT(ATTEMPT(result = model_asprintf(&made, ARGUMENTS)) == RETURNED && !strcmp(made, expected), "asprintf");
    EXPECT(ATTEMPT(result = model___asprintf_chk(&made, 1, ARGUMENTS)) == RETURNED && !strcmp(made, expected), "asprintf");
    EXPECT(ATTEMPT(model_sprintf(text + 1, ARGUMENTS)) == FAULT, "sprintf past the end");
    EXPECT(ATTEMPT(model_snprintf(text + 1, count, ARGUMENTS)) == RETURNED, "snprintf stops in time");
    EXPECT(ATTEMPT(model_snprintf(NULL, 0, ARGUMENTS)) == RETURNED, "snprintf measures");
    for (int i = 0; i < 20; i++) {
        enum ending ending = ATTEMPT(model_printf(ARGUMENTS));
        EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "printf");
        ending = ATTEMPT(model___printf_chk(1, ARGUMENTS));
        EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "__printf_chk");
        ending = ATTEMPT(model_dprintf(1, ARGUMENTS));
        EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "dprintf");
    }
    char *open = guarded(2, 3);
    memset(open, 'a', 3);
    EXPECT(ATTEMPT(model_printf("%s", open)) == FAULT, "printf of an unterminated string");
    enum ending ending = ATTEMPT(model_printf("%.3s", open));
    EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "printf of a limited string");
    EXPECT(ATTEMPT(model_printf("%y", 1)) == CHECK_FAILED && !strcmp(native_check, "unsupported"), "unknown conversion");
    int before = 0;
    EXPECT(ATTEMPT(model_sprintf(text, "abc%n", &before)) == RETURNED && before == 3, "conversion n");
    signed char small[2] = {9, 9};
    EXPECT(ATTEMPT(model_sprintf(text, "abc%hhn", &small[0])) == RETURNED && small[0] == 3 && small[1] == 9, "hhn");
}

/* ---- Random directives ------------------------------------------------------------------ */

static char format[64];

/* A directive with random flags, width and precision; the star takes none. */
static void directive(const char *flags, const char *size, char conversion) {
    char *p = format;
    *p++ = '<';
    *p++ = '%';
    for (int i = random_below(3); i > 0; i--)
        if (*flags)
            *p++ = flags[random_below((unsigned)strlen(flags))];
    if (random_below(2))
        p += sprintf(p, "%u", 1 + random_below(14));
    if (random_below(3) == 0)
        p += sprintf(p, random_below(4) ? ".%u" : ".", random_below(14));
    p += sprintf(p, "%s%c>", size, conversion);
}

/* Both texts of the format with these arguments; the model's limited, too. */
#define BOTH(...) \
    do { \
        expected_count = snprintf(expected, ROOM, format, __VA_ARGS__); \
        int room = random_below(2) ? expected_count + 1 : (int)random_below(expected_count + 2), count = -2; \
        text = guarded(1, room); \
        EXPECT(ATTEMPT(count = model_snprintf(text, room, format, __VA_ARGS__)) == RETURNED, "\"%s\"", format); \
        if (room > 0) { \
            expected[room - 1 < expected_count ? room - 1 : expected_count] = 0; \
            EXPECT(!strcmp(text, expected), "\"%s\": \"%s\", not \"%s\"", format, text, expected); \
        } \
        EXPECT(count == expected_count, "\"%s\": %d, not %d", format, count, expected_count); \
    } while (0)

static long long number(void) {
    static const long long edges[] = {0, 1, -1, 9, 10, 2147483647, -2147483647 - 1, 9223372036854775807, -9223372036854775807 - 1};
    if (random_below(2))
        return edges[random_below(9)];
    return (long long)random_bits() >> random_below(64);
}

static void integers(void) {
    static const char conversions[] = "diouxX";
    char conversion = conversions[random_below(6)];
    long long value = number();
    const char *flags = "-+ #0'";
#define SIZED(size, type) \
    directive(flags, size, conversion); \
    BOTH((type)value)
    SIZED("", int);
    SIZED("hh", int);
    SIZED("h", int);
    SIZED("l", long);
    SIZED("ll", long long);
    SIZED("q", long long);
    SIZED("j", intmax_t);
    SIZED("z", ssize_t);
    SIZED("t", ptrdiff_t);
    strcpy(format, "%*d %-*.*x");
    int first = (int)random_below(20) - 10, second = (int)random_below(20) - 10, precision = (int)random_below(10) - 3;
    BOTH(first, (int)value, second, precision, (int)value);
}

static void strings(void) {
    unsigned n = random_below(12);
    char *s = guarded(2, n + 1);
    random_bytes(s, n, "abc");
    s[n] = 0;
    directive("-", "", 's');
    BOTH(s);
    directive("-", "", 'c');
    BOTH('a' + (int)n);
    wchar_t *wide = guarded(3, (n + 1) * sizeof(wchar_t));
    for (unsigned i = 0; i <= n; i++)
        wide[i] = s[i];
    directive("-", "l", 's');
    BOTH(wide);
    directive("-", "l", 'c');
    BOTH((wint_t)('a' + n));
    strcpy(format, "%s and %d%%");
    BOTH(s, (int)n);
    /* Unterminated, with a precision that ends in time. */
    char *open = guarded(2, n);
    memset(open, 'o', n);
    sprintf(format, "%%.%us", n);
    BOTH(open);
}

/* Numbers whose digits the model chooses: the real number of characters must be among its choices, few
 * others may be, and none that is impossible. */
static void floating(void) {
    static const char conversions[] = "eEfFgGaA";
    char conversion = conversions[random_below(8)];
    union {
        unsigned long long bits;
        double value;
    } u = {random_bits()};
    double value = random_below(2) ? (double)number() / (1 + random_below(1000)) : u.value;
    if (random_below(20) == 0)
        value = random_below(2) ? INFINITY : -NAN;
    if (random_below(10) == 0) {
        static const double nearly[] = {0.9999999999999, -9.9999999999999, 99.9999999999, 999999.9999999, 0.00009999999999};
        value = nearly[random_below(5)];
    }
    /* The sign of a positive one is known only roughly. */
    if (isnan(value))
        value = -fabs(value);
    char flags[4] = "", precision[8] = "";
    random_bytes(flags, random_below(3), "-+ #");
    if (random_below(2))
        sprintf(precision, ".%u", random_below(14));
    sprintf(format, "%%%s%s%c", flags, precision, conversion);
    int count = snprintf(expected, ROOM, format, value), length = -2;
    native_choice = count;
    text = guarded(1, count + 1);
    EXPECT(ATTEMPT(length = model_snprintf(text, count + 1, format, value)) == RETURNED, "\"%s\" of %g has %d characters",
           format, value, count);
    EXPECT(length == count && (int)strlen(text) == count, "\"%s\" of %g", format, value);
    EXPECT(isfinite(value) || !strcmp(text, expected), "\"%s\" of %g is exact", format, value);
    if (isfinite(value) && (conversion == 'f' || conversion == 'e')) {
        native_choice = count + 4;
        EXPECT(fabs(value) > 1e18 || ATTEMPT(model_snprintf(NULL, 0, format, value)) == ASSUMED_AWAY, "\"%s\" of %g", format,
               value);
    }
    native_choice = count;
    sprintf(format, "%%%s30%s%c", flags, precision, conversion);
    EXPECT(ATTEMPT(length = model_snprintf(NULL, 0, format, value)) == RETURNED, "\"%s\" of %g", format, value);
    EXPECT(length == snprintf(NULL, 0, format, value), "\"%s\" of %g", format, value);
    sprintf(format, "%%%s%sL%c", flags, precision, conversion);
    native_choice = snprintf(NULL, 0, format, (long double)value);
    EXPECT(ATTEMPT(length = model_snprintf(NULL, 0, format, (long double)value)) == RETURNED, "\"%s\" of %g", format, value);
    EXPECT(length == native_choice, "\"%s\" of %g", format, value);
    native_choice = -1;
}

/* ---- Wide text -------------------------------------------------------------------------- */

static void wide(void) {
    static const wchar_t *const formats[] = {L"<%5d>", L"<%-6x|>", L"%ls", L"%s|%%", L"%.2ls", L"%c"};
    unsigned which = random_below(6);
    wchar_t want[64], *got = guarded(1, 40 * sizeof(wchar_t));
    int value = (int)number(), expected_result, result = -2;
    size_t limit = 1 + random_below(40);
#define WIDE(argument) \
    expected_result = swprintf(want, limit, formats[which], argument); \
    EXPECT(ATTEMPT(result = model_swprintf(got, limit, formats[which], argument)) == RETURNED, "swprintf"); \
    EXPECT(result == expected_result && (result < 0 || !wcscmp(want, got)), "swprintf %u: %d, not %d", which, result, \
           expected_result); \
    EXPECT(ATTEMPT(result = model___swprintf_chk(got, limit, 1, 40, formats[which], argument)) == RETURNED, "swprintf"); \
    EXPECT(result == expected_result, "__swprintf_chk")
    switch (which) {
    case 0:
    case 1: WIDE(value); break;
    case 2:
    case 4: WIDE(L"wide"); break;
    case 3: WIDE("narrow"); break;
    case 5: WIDE('c'); break;
    }
    enum ending ending = ATTEMPT(model_wprintf(L"%d %ls %s", 1, L"a", "b"));
    EXPECT(ending == RETURNED || ending == ASSUMED_AWAY, "wprintf");
}

static void wide_list(const wchar_t *wide_format, ...) {
    wchar_t got[20];
    int result = 0;
    va_list list;
    va_start(list, wide_format);
    EXPECT(ATTEMPT(result = model_vswprintf(got, 20, wide_format, list)) == RETURNED && result == 3, "vswprintf");
    va_end(list);
    EXPECT(!wcscmp(got, L"7ab"), "vswprintf");
    va_start(list, wide_format);
    EXPECT(ATTEMPT(result = model___vswprintf_chk(got, 20, 1, 20, wide_format, list)) == RETURNED && result == 3, "__vswprintf_chk");
    EXPECT(ATTEMPT(model___vswprintf_chk(got, 20, 1, 19, wide_format, list)) == CHECK_FAILED, "__vswprintf_chk");
    va_end(list);
}

/* ---- sscanf ----------------------------------------------------------------------------- */

/* All that a conversion could have changed. */
union target {
    char bytes[64];
    float as_float;
    double as_double;
    long double as_long_double;
};

static int model_with_list(int which, const char *input, const char *scan_format, ...) {
    int result = -2;
    va_list list;
    va_start(list, scan_format);
    enum ending ending = ATTEMPT(result = which == 0   ? model_vsscanf(input, scan_format, list)
                                          : which == 1 ? model___isoc99_vsscanf(input, scan_format, list)
                                                       : model___isoc23_vsscanf(input, scan_format, list));
    va_end(list);
    EXPECT(ending == RETURNED, "sscanf(\"%s\", \"%s\") ends with %d", input, scan_format, ending);
    return result;
}

static int model_with_wide_list(unsigned which, const wchar_t *input, const wchar_t *scan_format, ...) {
    int result = -2;
    va_list list;
    va_start(list, scan_format);
    enum ending ending = ATTEMPT(result = which == 0   ? model_vswscanf(input, scan_format, list)
                                          : which == 1 ? model___isoc99_vswscanf(input, scan_format, list)
                                                       : model___isoc23_vswscanf(input, scan_format, list));
    va_end(list);
    EXPECT(ending == RETURNED, "swscanf(\"%ls\", \"%ls\") ends with %d", input, scan_format, ending);
    return result;
}

/* The same with wide characters. */
static void scanning_wide(const char *input, const char *scan_format) {
    wchar_t source[128], format_wide[128];
    for (size_t i = 0; i <= strlen(input); i++)
        source[i] = input[i];
    for (size_t i = 0; i <= strlen(scan_format); i++)
        format_wide[i] = scan_format[i];
    union target real[3], model[3];
    memset(real, 0x5a, sizeof real);
    memset(model, 0x5a, sizeof model);
    int want = swscanf(source, format_wide, &real[0], &real[1], &real[2]), got = -2;
    unsigned which = random_below(6);
    if (which < 3) {
        got = model_with_wide_list(which, source, format_wide, &model[0], &model[1], &model[2]);
    } else {
        enum ending ending =
            ATTEMPT(got = which == 3   ? model_swscanf(source, format_wide, &model[0], &model[1], &model[2])
                          : which == 4 ? model___isoc99_swscanf(source, format_wide, &model[0], &model[1], &model[2])
                                       : model___isoc23_swscanf(source, format_wide, &model[0], &model[1], &model[2]));
        EXPECT(ending == RETURNED, "swscanf(\"%s\", \"%s\") ends with %d", input, scan_format, ending);
    }
    /* The library writes a second terminator behind a string of bytes, where the standard knows of one. */
    for (int i = 0; i < 3; i++)
        for (size_t k = 1; k < sizeof real->bytes; k++)
            if (!real[i].bytes[k - 1] && !model[i].bytes[k - 1] && !real[i].bytes[k] && model[i].bytes[k] == 0x5a)
                real[i].bytes[k] = 0x5a;
    EXPECT(want == got, "swscanf(\"%s\", \"%s\") = %d, not %d", input, scan_format, got, want);
    EXPECT(memcmp(real, model, sizeof real) == 0, "swscanf(\"%s\", \"%s\") stores something else", input, scan_format);
}

static void scanning(void) {
    static const char *const inputs[] = {"0",   "1",  "7",   "42", "-",  "+",   " ",    "\t", "0x1f", "0X",    "abc",
                                         "x",   ",",  "%",   "9",  "08", "10",  "2147483648", "18446744073709551616", "-99999999999"};
    static const char *const directives[] = {"%d",  "%i",   "%u",  "%x",  "%o",   "%ld",    "%lld",  "%hhd", "%hd",  "%zu",
                                             "%3d", "%2i",  "%2x", "%s",  "%3s",  "%c",     "%2c",   "%[a-c]", "%[^,]", "%2[0-9-]",
                                             "%*d", "%*s",  "%n",  "%ju", "%*2c", "%[]x]",  "%[^]x]", "%3ls",
                                             "%lc", "%4l[a-c]"};
    static const char *const between[] = {"", "", " ", ",", "%%"};
    char input[128] = "", scan_format[128] = "";
    for (int i = random_below(6); i > 0; i--)
        strcat(input, inputs[random_below(sizeof inputs / sizeof *inputs)]);
    for (int i = 1 + random_below(3); i > 0; i--) {
        strcat(scan_format, directives[random_below(sizeof directives / sizeof *directives)]);
        strcat(scan_format, between[random_below(sizeof between / sizeof *between)]);
    }
    size_t size = strlen(input) + 1;
    char *source = memcpy(guarded(0, size), input, size);
    union target real[3], model[3];
    memset(real, 0x5a, sizeof real);
    memset(model, 0x5a, sizeof model);
    int want = sscanf(source, scan_format, &real[0], &real[1], &real[2]), got = -2;
    unsigned which = random_below(6);
    if (which < 3) {
        got = model_with_list((int)which, source, scan_format, &model[0], &model[1], &model[2]);
    } else {
        enum ending ending =
            ATTEMPT(got = which == 3   ? model_sscanf(source, scan_format, &model[0], &model[1], &model[2])
                          : which == 4 ? model___isoc99_sscanf(source, scan_format, &model[0], &model[1], &model[2])
                                       : model___isoc23_sscanf(source, scan_format, &model[0], &model[1], &model[2]));
        EXPECT(ending == RETURNED, "sscanf(\"%s\", \"%s\") ends with %d", source, scan_format, ending);
    }
    EXPECT(want == got, "sscanf(\"%s\", \"%s\") = %d, not %d", source, scan_format, got, want);
    EXPECT(memcmp(real, model, sizeof real) == 0, "sscanf(\"%s\", \"%s\") stores something else", source, scan_format);
    scanning_wide(source, scan_format);
}

static void scanning_floats(void) {
    static const char *const inputs[] = {"1.5", "-2", ".25", "1e2", "7.", "abc", "3.0e-1", "inf", "  8"};
    const char *input = inputs[random_below(9)];
    union target real = {"zzzzzzzzzzzzzzz"}, model = real;
    int want = sscanf(input, "%lf", &real.as_double), got = -2;
    EXPECT(ATTEMPT(got = model_sscanf(input, "%lf", &model.as_double)) == RETURNED, "sscanf(\"%s\", \"%%lf\")", input);
    EXPECT(want == got && !memcmp(&real, &model, sizeof real), "sscanf(\"%s\", \"%%lf\")", input);
    want = sscanf(input, "%f", &real.as_float);
    EXPECT(ATTEMPT(got = model_sscanf(input, "%f", &model.as_float)) == RETURNED, "sscanf(\"%s\", \"%%f\")", input);
    EXPECT(want == got && !memcmp(&real, &model, sizeof real), "sscanf(\"%s\", \"%%f\")", input);
}

static void scanning_violations(void) {
    char *small = guarded(1, 4);
    EXPECT(ATTEMPT(model_sscanf("abcd", "%s", small)) == FAULT, "sscanf past the end");
    EXPECT(ATTEMPT(model_sscanf("abcd", "%3s", small)) == RETURNED && !strcmp(small, "abc"), "sscanf with a width");
    EXPECT(ATTEMPT(model_sscanf("abcd", "%4c", small)) == RETURNED && !memcmp(small, "abcd", 4), "sscanf of characters");
    EXPECT(ATTEMPT(model_sscanf("1", "%lld", (long long *)small)) == FAULT, "sscanf into a small object");
}

int main(void) {
    all_functions();
    for (int i = 0; i < RUNS; i++) {
        integers();
        strings();
        scanning();
        if (i < 2000)
            floating();
        if (i < 2000)
            wide();
        if (i < 200)
            scanning_floats();
    }
    scanning_violations();
    wide_list(L"%d%ls", 7, L"ab");
    static const char *const names[] = {
        "sprintf", "snprintf", "vsprintf", "vsnprintf", "asprintf", "vasprintf", "printf", "vprintf", "dprintf",
        "vdprintf", "__printf_chk", "__vprintf_chk", "__sprintf_chk", "__vsprintf_chk", "__snprintf_chk",
        "__vsnprintf_chk", "__asprintf_chk", "__vasprintf_chk", "sscanf", "vsscanf", "__isoc99_sscanf",
        "__isoc99_vsscanf", "__isoc23_sscanf", "__isoc23_vsscanf", "swprintf", "vswprintf", "__swprintf_chk", "wprintf",
        "__selkie_format_read", "__selkie_format_write", "__selkie_format_write_wide", "__selkie_format_read_wide",
        "__selkie_scan_text", "__selkie_scan_text_wide", "swscanf", "vswscanf", "__isoc99_swscanf", "__isoc99_vswscanf",
        "__isoc23_swscanf", "__isoc23_vswscanf", "__vswprintf_chk"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
}
