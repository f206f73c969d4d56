/* As string.c: the printf and scanf families, messages, and what they are made of. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <limits.h>
#include <selkie.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <wchar.h>

/* The format, so that nobody knows it beforehand. */
static const char *format(const char *s) { return sk_nondet_bool() ? s : s; }
static const wchar_t *format_wide(const wchar_t *s) { return sk_nondet_bool() ? s : s; }

/* Defines `call_NAME` for a function that takes a list. */
#define LIST(name, result_type, parameters, call) \
    static result_type call_##name parameters { \
        va_list list; \
        va_start(list, f); \
        result_type result = call; \
        va_end(list); \
        return result; \
    }
#define LIST_VOID(name, call) \
    static void call_##name(const char *f, ...) { \
        va_list list; \
        va_start(list, f); \
        call; \
        va_end(list); \
    }

/* ---- printf ----------------------------------------------------------------------------- */

extern int __printf_chk(int, const char *, ...), __vprintf_chk(int, const char *, va_list);
extern int __fprintf_chk(FILE *, int, const char *, ...), __vfprintf_chk(FILE *, int, const char *, va_list);
extern int __dprintf_chk(int, int, const char *, ...), __vdprintf_chk(int, int, const char *, va_list);
static FILE *stream;
#define call_printf printf
#define call_fprintf(...) fprintf(stream, __VA_ARGS__)
#define call_dprintf(...) dprintf(1, __VA_ARGS__)
#define call___printf_chk(...) __printf_chk(1, __VA_ARGS__)
#define call___fprintf_chk(...) __fprintf_chk(stream, 1, __VA_ARGS__)
#define call___dprintf_chk(...) __dprintf_chk(1, 1, __VA_ARGS__)
LIST(vprintf, int, (const char *f, ...), vprintf(f, list))
LIST(vfprintf, int, (const char *f, ...), vfprintf(stream, f, list))
LIST(vdprintf, int, (const char *f, ...), vdprintf(1, f, list))
LIST(__vprintf_chk, int, (const char *f, ...), __vprintf_chk(1, f, list))
LIST(__vfprintf_chk, int, (const char *f, ...), __vfprintf_chk(stream, 1, f, list))
LIST(__vdprintf_chk, int, (const char *f, ...), __vdprintf_chk(1, 1, f, list))

/// holds: printf fprintf dprintf vprintf vfprintf vdprintf __printf_chk __fprintf_chk __dprintf_chk __vprintf_chk
///     __vfprintf_chk __vdprintf_chk
{
    stream = stdout;
    char open[3] = {'a', 'b', 'c'};
    int n = call_FUNCTION(format("%d %s %5.2f %c %p %%\n"), 1, "abc", 2.5, 'x', NULL);
    sk_assert(n >= -1);
    n = call_FUNCTION(format("%.3s %.*s %lld %zu%n"), open, 2, open, 1LL, sizeof n, &n);
    sk_assert(n >= -1);
}
/// violates deref: printf fprintf dprintf vprintf vfprintf vdprintf __printf_chk __fprintf_chk __dprintf_chk __vprintf_chk
///     __vfprintf_chk __vdprintf_chk
{
    stream = stdout;
    char open[3] = {'a', 'b', 'c'};
    call_FUNCTION(format("%d %s"), 1, open);
}
/// violates deref: fprintf vfprintf __fprintf_chk __vfprintf_chk
{
    stream = NULL;
    call_FUNCTION(format("abc"));
}
/// violates deref: fprintf vfprintf __fprintf_chk __vfprintf_chk
{
    stream = stdout;
    fclose(stdout);
    call_FUNCTION(format("abc"));
}
/// violates deref: __selkie_print_string
{
    char open[3] = {'a', 'b', 'c'};
    printf("%s", open);
}
/// violates deref: __selkie_print_string
{
    char *none = NULL;
    printf("%d %s", 1, none);
}
/// violates deref: printf
{
    printf("%s%s", "one");
}
/// violates deref: printf
{
    short n;
    printf("abc%n", (int *)&n);
}
/// violates unsupported: printf
{
    printf("%2$d %1$d", 1, 2);
}
/// violates deref: __selkie_print_result_to
{
    FILE *f = NULL;
    fprintf(f, "abc");
}

/* ---- printf into memory ----------------------------------------------------------------- */

extern int __sprintf_chk(char *, int, size_t, const char *, ...), __vsprintf_chk(char *, int, size_t, const char *, va_list);
extern int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
extern int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
extern int __asprintf_chk(char **, int, const char *, ...), __vasprintf_chk(char **, int, const char *, va_list);
#define call_sprintf(to, ...) sprintf(to, __VA_ARGS__)
#define call___sprintf_chk(to, ...) __sprintf_chk(to, 1, size_known, __VA_ARGS__)
#define call_snprintf(to, ...) snprintf(to, limit, __VA_ARGS__)
#define call___snprintf_chk(to, ...) __snprintf_chk(to, limit, 1, size_known, __VA_ARGS__)
#define call_asprintf asprintf
#define call___asprintf_chk(to, ...) __asprintf_chk(to, 1, __VA_ARGS__)
static size_t limit, size_known;
LIST(vsprintf, int, (char *to, const char *f, ...), vsprintf(to, f, list))
LIST(__vsprintf_chk, int, (char *to, const char *f, ...), __vsprintf_chk(to, 1, size_known, f, list))
LIST(vsnprintf, int, (char *to, const char *f, ...), vsnprintf(to, limit, f, list))
LIST(__vsnprintf_chk, int, (char *to, const char *f, ...), __vsnprintf_chk(to, limit, 1, size_known, f, list))
LIST(vasprintf, int, (char **to, const char *f, ...), vasprintf(to, f, list))
LIST(__vasprintf_chk, int, (char **to, const char *f, ...), __vasprintf_chk(to, 1, f, list))

/// holds: sprintf vsprintf __sprintf_chk __vsprintf_chk
{
    char to[12];
    size_known = 12;
    sk_assert(call_FUNCTION(to, "%d,%s,%x", -7, "ab", 31) == 8 && !strcmp(to, "-7,ab,1f"));
    sk_assert(call_FUNCTION(to, "%05d|%-3c|", 42, 'x') == 10 && !strcmp(to, "00042|x  |"));
    sk_assert(call_FUNCTION(to, "%3o|%+d|%#x", 8, 1, 10) == 10 && !strcmp(to, " 10|+1|0xa"));
    sk_assert(call_FUNCTION(to, "%d", sk_nondet_int()) < 12);
}
/// violates deref: sprintf vsprintf __sprintf_chk __vsprintf_chk
{
    char to[11];
    size_known = 11;
    call_FUNCTION(to, "%d", -2147483647);
}
/// violates deref: sprintf vsprintf __sprintf_chk __vsprintf_chk
{
    char to[8], open[2] = {'a', 'b'};
    size_known = 8;
    call_FUNCTION(to, "%3s", open);
}
/// violates deref: __sprintf_chk __vsprintf_chk
{
    char to[8];
    size_known = 4;
    call_FUNCTION(to, "%s", "abcd");
}
/// violates deref: sprintf
{
    char to[8];
    sprintf(to, "%s", "12345678");
}
/// holds: snprintf vsnprintf __snprintf_chk __vsnprintf_chk
{
    char to[12];
    size_known = 12;
    limit = 4;
    sk_assert(call_FUNCTION(to, "%s", "abcdef") == 6 && !strcmp(to, "abc"));
    limit = 0;
    sk_assert(call_FUNCTION(NULL, "%s%d", "abcdef", 10) == 8);
    limit = 12;
    sk_assert(call_FUNCTION(to, "%d", sk_nondet_int()) < 12);
    int n = call_FUNCTION(to, "%.1f", 2.5);
    sk_assert(n >= 3 && n < 12);
}
/// violates deref: snprintf vsnprintf __snprintf_chk __vsnprintf_chk
{
    char to[4];
    limit = size_known = 5;
    call_FUNCTION(to, "%s", "abcdef");
}
/// violates deref: __snprintf_chk __vsnprintf_chk
{
    char to[8];
    limit = 5;
    size_known = 4;
    call_FUNCTION(to, "%s", "abc");
}
/// holds: sprintf snprintf
{
    char to[12] = "abc";
    sprintf(to + 4, "%s", to);
    sk_assert(!strcmp(to + 4, "abc"));
    snprintf(to, 2, "a%s", to);
}
/// violates overlap: sprintf vsprintf __sprintf_chk __vsprintf_chk snprintf vsnprintf __snprintf_chk __vsnprintf_chk
{
    char to[12] = "abc";
    limit = size_known = 12;
    call_FUNCTION(to, "%s,%d", to, 1);
}
/// holds: asprintf vasprintf __asprintf_chk __vasprintf_chk
{
    char *p;
    sk_assert(call_FUNCTION(&p, "%d-%d", 1, 2) == 3 && !strcmp(p, "1-2"));
    free(p);
}
/// violates leak: asprintf vasprintf __asprintf_chk __vasprintf_chk
{
    char *p;
    call_FUNCTION(&p, "%d", 1);
    p = NULL;
}
/// violates deref: asprintf vasprintf __asprintf_chk __vasprintf_chk
{
    char *p, open[2] = {'a', 'b'};
    call_FUNCTION(&p, "%s", open);
}
/// violates deref: asprintf
{
    asprintf(NULL, "%d", 1);
}

/* ---- scanf ------------------------------------------------------------------------------ */

extern int __isoc99_scanf(const char *, ...), __isoc23_scanf(const char *, ...);
extern int __isoc99_fscanf(FILE *, const char *, ...), __isoc23_fscanf(FILE *, const char *, ...);
extern int __isoc99_vscanf(const char *, va_list), __isoc23_vscanf(const char *, va_list);
extern int __isoc99_vfscanf(FILE *, const char *, va_list), __isoc23_vfscanf(FILE *, const char *, va_list);
extern int __isoc99_sscanf(const char *, const char *, ...), __isoc23_sscanf(const char *, const char *, ...);
extern int __isoc99_vsscanf(const char *, const char *, va_list), __isoc23_vsscanf(const char *, const char *, va_list);
/* The headers may call their own names others. */
extern int plain_scanf(const char *, ...) __asm__("scanf");
extern int plain_fscanf(FILE *, const char *, ...) __asm__("fscanf");
extern int plain_sscanf(const char *, const char *, ...) __asm__("sscanf");
extern int plain_vscanf(const char *, va_list) __asm__("vscanf");
extern int plain_vfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
extern int plain_vsscanf(const char *, const char *, va_list) __asm__("vsscanf");
#define call_scanf plain_scanf
#define call___isoc99_scanf __isoc99_scanf
#define call___isoc23_scanf __isoc23_scanf
#define call_fscanf(...) plain_fscanf(stream, __VA_ARGS__)
#define call___isoc99_fscanf(...) __isoc99_fscanf(stream, __VA_ARGS__)
#define call___isoc23_fscanf(...) __isoc23_fscanf(stream, __VA_ARGS__)
LIST(vscanf, int, (const char *f, ...), plain_vscanf(f, list))
LIST(__isoc99_vscanf, int, (const char *f, ...), __isoc99_vscanf(f, list))
LIST(__isoc23_vscanf, int, (const char *f, ...), __isoc23_vscanf(f, list))
LIST(vfscanf, int, (const char *f, ...), plain_vfscanf(stream, f, list))
LIST(__isoc99_vfscanf, int, (const char *f, ...), __isoc99_vfscanf(stream, f, list))
LIST(__isoc23_vfscanf, int, (const char *f, ...), __isoc23_vfscanf(stream, f, list))
#define call_sscanf plain_sscanf
#define call___isoc99_sscanf __isoc99_sscanf
#define call___isoc23_sscanf __isoc23_sscanf
LIST(vsscanf, int, (const char *text, const char *f, ...), plain_vsscanf(text, f, list))
LIST(__isoc99_vsscanf, int, (const char *text, const char *f, ...), __isoc99_vsscanf(text, f, list))
LIST(__isoc23_vsscanf, int, (const char *text, const char *f, ...), __isoc23_vsscanf(text, f, list))

/// holds: scanf __isoc99_scanf __isoc23_scanf fscanf __isoc99_fscanf __isoc23_fscanf vscanf __isoc99_vscanf __isoc23_vscanf
///     vfscanf __isoc99_vfscanf __isoc23_vfscanf
{
    int x = 5;
    char w[6];
    stream = stdin;
    int n = call_FUNCTION("%d %5s", &x, w);
    sk_assert(n >= -1 && n <= 2);
    if (n == 2)
        sk_assert(strlen(w) <= 5);
    if (n < 1)
        sk_assert(x == 5);
    if (n == -1)
        sk_assert(feof(stdin) || ferror(stdin));
    n = call_FUNCTION("%2d%*s%1[a-c]", &x, w);
    if (n >= 1)
        sk_assert(x < 100 && x > -10);
    if (n == 2)
        sk_assert(w[0] >= 'a' && w[0] <= 'c' && w[1] == 0);
}
/// violates deref: scanf __isoc99_scanf __isoc23_scanf fscanf __isoc99_fscanf __isoc23_fscanf vscanf __isoc99_vscanf
///     __isoc23_vscanf vfscanf __isoc99_vfscanf __isoc23_vfscanf
{
    char w[5];
    stream = stdin;
    call_FUNCTION("%5s", w);
}
/// violates deref: scanf __isoc99_scanf __isoc23_scanf fscanf __isoc99_fscanf __isoc23_fscanf vscanf __isoc99_vscanf
///     __isoc23_vscanf vfscanf __isoc99_vfscanf __isoc23_vfscanf
{
    char w[100];
    stream = stdin;
    call_FUNCTION("%s", w);
}
/// violates deref: fscanf __isoc99_fscanf __isoc23_fscanf vfscanf __isoc99_vfscanf __isoc23_vfscanf
{
    int x;
    stream = NULL;
    call_FUNCTION("%d", &x);
}
/// violates deref: scanf
{
    char w[3];
    call_scanf("%4c", w);
}
/// violates deref: scanf
{
    call_scanf("%d", (int *)NULL);
}
/// violates assert: scanf
{
    int x = 5;
    sk_assert(call_scanf("%d", &x) != 1 || x == 5);
}
/// violates unsupported: scanf
{
    char *w;
    call_scanf("%ms", &w);
}
/// holds: sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf __isoc23_vsscanf
{
    int a = 0, b = 0;
    char w[4], c;
    double d = 0;
    sk_assert(call_FUNCTION("12 abc,0x1f", "%d %3[a-z]%c%x", &a, w, &c, &b) == 4);
    sk_assert(a == 12 && !strcmp(w, "abc") && c == ',' && b == 31);
    sk_assert(call_FUNCTION("x", "%d", &a) == 0 && a == 12 && call_FUNCTION("", "%d", &a) == EOF);
    sk_assert(call_FUNCTION("7 2.5 9", "%*d%lf%n", &d, &b) == 1 && d == 2.5 && b == 5);
}
/// violates deref: sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf __isoc23_vsscanf
{
    char w[3];
    call_FUNCTION("abc", "%s", w);
}
/// violates deref: sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf __isoc23_vsscanf
{
    char open[2] = {'1', '2'};
    int x;
    call_FUNCTION(open, "%d", &x);
}
/// violates deref: sscanf
{
    short s;
    call_sscanf("1", "%d", (int *)&s);
}

/* ---- Wide characters -------------------------------------------------------------------- */

extern int __wprintf_chk(int, const wchar_t *, ...), __fwprintf_chk(FILE *, int, const wchar_t *, ...);
extern int __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
extern int __vswprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, va_list);
extern int __isoc99_wscanf(const wchar_t *, ...), __isoc23_wscanf(const wchar_t *, ...);
extern int __isoc99_fwscanf(FILE *, const wchar_t *, ...), __isoc23_fwscanf(FILE *, const wchar_t *, ...);
extern int __isoc99_swscanf(const wchar_t *, const wchar_t *, ...), __isoc23_swscanf(const wchar_t *, const wchar_t *, ...);
extern int __isoc99_vwscanf(const wchar_t *, va_list), __isoc23_vwscanf(const wchar_t *, va_list);
extern int __isoc99_vfwscanf(FILE *, const wchar_t *, va_list), __isoc23_vfwscanf(FILE *, const wchar_t *, va_list);
extern int __isoc99_vswscanf(const wchar_t *, const wchar_t *, va_list), __isoc23_vswscanf(const wchar_t *, const wchar_t *, va_list);
extern int plain_wscanf(const wchar_t *, ...) __asm__("wscanf");
extern int plain_fwscanf(FILE *, const wchar_t *, ...) __asm__("fwscanf");
extern int plain_swscanf(const wchar_t *, const wchar_t *, ...) __asm__("swscanf");
extern int plain_vwscanf(const wchar_t *, va_list) __asm__("vwscanf");
extern int plain_vfwscanf(FILE *, const wchar_t *, va_list) __asm__("vfwscanf");
extern int plain_vswscanf(const wchar_t *, const wchar_t *, va_list) __asm__("vswscanf");
#define call_wprintf wprintf
#define call___wprintf_chk(...) __wprintf_chk(1, __VA_ARGS__)
#define call_fwprintf(...) fwprintf(stream, __VA_ARGS__)
#define call___fwprintf_chk(...) __fwprintf_chk(stream, 1, __VA_ARGS__)
LIST(vwprintf, int, (const wchar_t *f, ...), vwprintf(f, list))
LIST(vfwprintf, int, (const wchar_t *f, ...), vfwprintf(stream, f, list))
#define call_swprintf(to, ...) swprintf(to, limit, __VA_ARGS__)
#define call___swprintf_chk(to, ...) __swprintf_chk(to, limit, 1, size_known, __VA_ARGS__)
LIST(vswprintf, int, (wchar_t *to, const wchar_t *f, ...), vswprintf(to, limit, f, list))
LIST(__vswprintf_chk, int, (wchar_t *to, const wchar_t *f, ...), __vswprintf_chk(to, limit, 1, size_known, f, list))
#define call_wscanf plain_wscanf
#define call___isoc99_wscanf __isoc99_wscanf
#define call___isoc23_wscanf __isoc23_wscanf
#define call_fwscanf(...) plain_fwscanf(stream, __VA_ARGS__)
#define call___isoc99_fwscanf(...) __isoc99_fwscanf(stream, __VA_ARGS__)
#define call___isoc23_fwscanf(...) __isoc23_fwscanf(stream, __VA_ARGS__)
LIST(vwscanf, int, (const wchar_t *f, ...), plain_vwscanf(f, list))
LIST(__isoc99_vwscanf, int, (const wchar_t *f, ...), __isoc99_vwscanf(f, list))
LIST(__isoc23_vwscanf, int, (const wchar_t *f, ...), __isoc23_vwscanf(f, list))
LIST(vfwscanf, int, (const wchar_t *f, ...), plain_vfwscanf(stream, f, list))
LIST(__isoc99_vfwscanf, int, (const wchar_t *f, ...), __isoc99_vfwscanf(stream, f, list))
LIST(__isoc23_vfwscanf, int, (const wchar_t *f, ...), __isoc23_vfwscanf(stream, f, list))
#define call_swscanf plain_swscanf
#define call___isoc99_swscanf __isoc99_swscanf
#define call___isoc23_swscanf __isoc23_swscanf
LIST(vswscanf, int, (const wchar_t *text, const wchar_t *f, ...), plain_vswscanf(text, f, list))
LIST(__isoc99_vswscanf, int, (const wchar_t *text, const wchar_t *f, ...), __isoc99_vswscanf(text, f, list))
LIST(__isoc23_vswscanf, int, (const wchar_t *text, const wchar_t *f, ...), __isoc23_vswscanf(text, f, list))

/// holds: wprintf __wprintf_chk fwprintf __fwprintf_chk vwprintf vfwprintf
{
    stream = stdout;
    wchar_t open[2] = {L'a', L'b'};
    sk_assert(call_FUNCTION(format_wide(L"%d %s %ls"), 1, "abc", L"abc") >= -1);
    sk_assert(call_FUNCTION(format_wide(L"%.2ls"), open) >= -1);
}
/// violates deref: wprintf __wprintf_chk fwprintf __fwprintf_chk vwprintf vfwprintf
{
    stream = stdout;
    wchar_t open[2] = {L'a', L'b'};
    call_FUNCTION(format_wide(L"%ls"), open);
}
/// violates deref: fwprintf __fwprintf_chk vfwprintf
{
    stream = NULL;
    call_FUNCTION(format_wide(L"abc"));
}
/// holds: swprintf __swprintf_chk vswprintf __vswprintf_chk
{
    wchar_t to[8];
    limit = size_known = 8;
    sk_assert(call_FUNCTION(to, L"%d-%ls", 12, L"ab") == 5 && !wcscmp(to, L"12-ab"));
    limit = 3;
    sk_assert(call_FUNCTION(to, L"abc") == -1);
}
/// violates deref: swprintf __swprintf_chk vswprintf __vswprintf_chk
{
    wchar_t to[3];
    limit = size_known = 8;
    call_FUNCTION(to, L"%d", 1234);
}
/// violates deref: __swprintf_chk __vswprintf_chk
{
    wchar_t to[8];
    limit = 8;
    size_known = 7;
    call_FUNCTION(to, L"%d", 1);
}
/// violates overlap: swprintf __swprintf_chk vswprintf __vswprintf_chk
{
    wchar_t to[8] = L"abc";
    limit = size_known = 8;
    call_FUNCTION(to, L"%ls,%d", to, 1);
}
/// holds: wscanf __isoc99_wscanf __isoc23_wscanf fwscanf __isoc99_fwscanf __isoc23_fwscanf vwscanf __isoc99_vwscanf
///     __isoc23_vwscanf vfwscanf __isoc99_vfwscanf __isoc23_vfwscanf
{
    stream = stdin;
    int x = 5;
    wchar_t w[4];
    int n = call_FUNCTION(L"%d%3ls", &x, w);
    sk_assert(n >= -1 && n <= 2);
    if (n < 1)
        sk_assert(x == 5);
    if (n == 2)
        sk_assert(wcslen(w) <= 3);
}
/// violates deref: wscanf __isoc99_wscanf __isoc23_wscanf fwscanf __isoc99_fwscanf __isoc23_fwscanf vwscanf __isoc99_vwscanf
///     __isoc23_vwscanf vfwscanf __isoc99_vfwscanf __isoc23_vfwscanf
{
    stream = stdin;
    wchar_t w[3];
    call_FUNCTION(L"%3ls", w);
}
/// violates deref: fwscanf __isoc99_fwscanf __isoc23_fwscanf vfwscanf __isoc99_vfwscanf __isoc23_vfwscanf
{
    stream = NULL;
    int x;
    call_FUNCTION(L"%d", &x);
}
/// holds: swscanf __isoc99_swscanf __isoc23_swscanf vswscanf __isoc99_vswscanf __isoc23_vswscanf
{
    int a = 0;
    wchar_t w[4];
    char c = 0;
    sk_assert(call_FUNCTION(L"12 abc,", L"%d %3l[a-z]%c", &a, w, &c) == 3);
    sk_assert(a == 12 && !wcscmp(w, L"abc") && c == ',');
    sk_assert(call_FUNCTION(L"x", L"%d", &a) == 0 && a == 12 && call_FUNCTION(L"", L"%d", &a) == EOF);
}
/// violates deref: swscanf __isoc99_swscanf __isoc23_swscanf vswscanf __isoc99_vswscanf __isoc23_vswscanf
{
    wchar_t w[3];
    call_FUNCTION(L"abc", L"%ls", w);
}
/// violates unsupported: swscanf
{
    char w[3];
    plain_swscanf(L"\u00e4", L"%s", w);
}

/* ---- What they are made of -------------------------------------------------------------- */

struct arguments {
    va_list list;
};
extern void __selkie_format_read(const char *, struct arguments *), __selkie_format_read_wide(const wchar_t *, struct arguments *);
extern int __selkie_format_write(char *, size_t, const char *, struct arguments *);
extern int __selkie_format_write_wide(wchar_t *, size_t, const wchar_t *, struct arguments *);
extern void __selkie_print_string(const char *, int), __selkie_print_string_wide(const wchar_t *, int);
extern int __selkie_print_result(void), __selkie_print_result_to(FILE *);
extern int __selkie_scan_any(const char *, struct arguments *), __selkie_scan_any_wide(const wchar_t *, struct arguments *);
extern int __selkie_scan_text(const char *, const char *, struct arguments *);
extern int __selkie_scan_text_wide(const wchar_t *, const wchar_t *, struct arguments *);

/* Defines `call_NAME` for a function that takes such arguments. */
#define ARGUMENTS(name, parameters, call) \
    static int call_##name parameters { \
        struct arguments a; \
        va_start(a.list, f); \
        int result = call; \
        va_end(a.list); \
        return result; \
    }
ARGUMENTS(__selkie_format_read, (const char *f, ...), (__selkie_format_read(f, &a), 0))
ARGUMENTS(__selkie_format_read_wide, (const wchar_t *f, ...), (__selkie_format_read_wide(f, &a), 0))
ARGUMENTS(__selkie_format_write, (char *to, const char *f, ...), __selkie_format_write(to, 4, f, &a))
ARGUMENTS(__selkie_format_write_wide, (wchar_t *to, const wchar_t *f, ...), __selkie_format_write_wide(to, 4, f, &a))
ARGUMENTS(__selkie_scan_any, (const char *f, ...), __selkie_scan_any(f, &a))
ARGUMENTS(__selkie_scan_any_wide, (const wchar_t *f, ...), __selkie_scan_any_wide(f, &a))
ARGUMENTS(__selkie_scan_text, (const char *text, const char *f, ...), __selkie_scan_text(text, f, &a))
ARGUMENTS(__selkie_scan_text_wide, (const wchar_t *text, const wchar_t *f, ...), __selkie_scan_text_wide(text, f, &a))

/// holds: __selkie_format_read __selkie_format_read_wide __selkie_format_write __selkie_format_write_wide __selkie_print_string
///     __selkie_print_string_wide __selkie_print_result __selkie_print_result_to
{
    char open[2] = {'a', 'b'}, to[4];
    wchar_t wide[4];
    call___selkie_format_read("%.2s", open);
    call___selkie_format_read_wide(L"%.2s %ls", open, L"abc");
    sk_assert(call___selkie_format_write(to, "%d%s", 1, "abc") == 4 && !strcmp(to, "1ab"));
    sk_assert(call___selkie_format_write_wide(wide, L"%d%s", 1, "abc") == 4 && !wcscmp(wide, L"1ab"));
    __selkie_print_string(open, 2);
    __selkie_print_string_wide(L"abc", -1);
    sk_assert(__selkie_print_result() >= -1 && __selkie_print_result_to(stdout) >= -1);
}
/// violates deref: __selkie_format_read
{
    char open[2] = {'a', 'b'};
    call___selkie_format_read("%s", open);
}
/// violates deref: __selkie_format_read_wide
{
    char open[2] = {'a', 'b'};
    call___selkie_format_read_wide(L"%s", open);
}
/// violates deref: __selkie_format_write
{
    char to[3];
    call___selkie_format_write(to, "abc");
}
/// violates deref: __selkie_format_write_wide
{
    wchar_t to[3];
    call___selkie_format_write_wide(to, L"abc");
}
/// violates overlap: __selkie_format_write
{
    char to[4] = "ab";
    call___selkie_format_write(to, "%s", to);
}
/// violates overlap: __selkie_format_write_wide
{
    wchar_t to[4] = L"ab";
    call___selkie_format_write_wide(to, L"%ls", to);
}
/// violates deref: __selkie_print_string
{
    char open[2] = {'a', 'b'};
    __selkie_print_string(open, -1);
}
/// violates deref: __selkie_print_string_wide
{
    wchar_t open[2] = {L'a', L'b'};
    __selkie_print_string_wide(open, 3);
}
/// violates deref: __selkie_print_result_to
{
    __selkie_print_result_to(NULL);
}
/// holds: __selkie_scan_any __selkie_scan_any_wide __selkie_scan_text __selkie_scan_text_wide
{
    int x = 5;
    char w[4];
    int n = call___selkie_scan_any("%d%3s", &x, w);
    sk_assert(n <= 2 && (n < 2 || strlen(w) <= 3));
    sk_assert(call___selkie_scan_any_wide(L"%d", &x) <= 1);
    sk_assert(call___selkie_scan_text("7abc", "%d%3s", &x, w) == 2 && x == 7 && !strcmp(w, "abc"));
    sk_assert(call___selkie_scan_text_wide(L"8ab", L"%d%3s", &x, w) == 2 && x == 8 && !strcmp(w, "ab"));
}
/// violates deref: __selkie_scan_any
{
    char w[3];
    call___selkie_scan_any("%3s", w);
}
/// violates deref: __selkie_scan_any_wide
{
    char w[3];
    call___selkie_scan_any_wide(L"%3s", w);
}
/// violates deref: __selkie_scan_text
{
    char w[3];
    call___selkie_scan_text("abc", "%s", w);
}
/// violates deref: __selkie_scan_text_wide
{
    char w[3];
    call___selkie_scan_text_wide(L"abc", L"%s", w);
}

/* ---- Messages --------------------------------------------------------------------------- */

extern void __syslog_chk(int, int, const char *, ...), __vsyslog_chk(int, int, const char *, va_list);
#define call_warn warn
#define call_warnx warnx
#define call_syslog(...) syslog(1, __VA_ARGS__)
#define call___syslog_chk(...) __syslog_chk(1, 1, __VA_ARGS__)
#define call_err(...) err(1, __VA_ARGS__)
#define call_errx(...) errx(1, __VA_ARGS__)
#define call_error(...) error(1, 0, __VA_ARGS__)
LIST_VOID(vwarn, vwarn(f, list))
LIST_VOID(vwarnx, vwarnx(f, list))
LIST_VOID(vsyslog, vsyslog(1, f, list))
LIST_VOID(__vsyslog_chk, __vsyslog_chk(1, 1, f, list))
LIST_VOID(verr, verr(1, f, list))
LIST_VOID(verrx, verrx(1, f, list))

/// holds: warn warnx vwarn vwarnx syslog __syslog_chk vsyslog __vsyslog_chk
{
    call_FUNCTION(format("%d %s"), 1, "abc");
}
/// holds: err errx verr verrx error
{
    call_FUNCTION(format("%d %s"), 1, "abc");
    sk_assert(0);
}
/// violates deref: warn warnx vwarn vwarnx syslog __syslog_chk vsyslog __vsyslog_chk err errx verr verrx error
{
    char open[2] = {'a', 'b'};
    call_FUNCTION(format("%s"), open);
}
/// holds: openlog closelog setlogmask error warn
{
    openlog("abc", 1, 1);
    setlogmask(1);
    closelog();
    openlog(NULL, 1, 1);
    error(0, 1, "%s", "abc");
    warn(NULL);
}
/// violates deref: openlog
{
    char open[2] = {'a', 'b'};
    openlog(open, 1, 1);
}
