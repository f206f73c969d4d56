/* As string.c: streams. */
#define _GNU_SOURCE
#include <selkie.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

extern int _IO_getc(FILE *), __uflow(FILE *), _IO_putc(int, FILE *), __overflow(FILE *, int);
extern char *gets(char *), *__gets_chk(char *, size_t);
extern char *__fgets_chk(char *, size_t, int, FILE *), *__fgets_unlocked_chk(char *, size_t, int, FILE *);
extern size_t __fread_chk(void *, size_t, size_t, size_t, FILE *), __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
extern ssize_t __getdelim(char **, size_t *, int, FILE *);

/* Never true, but that is not easy to see: what is not reached may be wrong. */
static int never(void) {
    unsigned x = sk_nondet_uint();
    return x * x % 4 == 2;
}

/* A stream that is open. */
static FILE *some(void) {
    FILE *f = fopen("file", "r");
    if (!f)
        exit(1);
    return f;
}

/* One that is closed. */
static FILE *closed(void) {
    FILE *f = some();
    fclose(f);
    return f;
}

/* ---- Opening and closing ---------------------------------------------------------------- */

#define call_fopen(mode) fopen("file", mode)
#define call_fopen64(mode) fopen64("file", mode)
#define call_fdopen(mode) fdopen(3, mode)
#define call_popen(mode) popen("command", mode)
#define call_freopen(mode) freopen("file", mode, stdout)
#define call_freopen64(mode) freopen64("file", mode, stdout)
/// holds: fopen fopen64 fdopen popen freopen freopen64
{
    FILE *f = call_FUNCTION("r");
    if (f) {
        sk_assert(!feof(f) && !ferror(f));
        fclose(f);
    }
}
/// violates deref: fopen fopen64 fdopen popen freopen freopen64
{
    char open[1] = {'r'};
    call_FUNCTION(open);
}
/// violates deref: fopen fopen64
{
    char open[2] = {'a', 'b'};
    FUNCTION(open, "r");
}
/// violates deref: freopen freopen64
{
    FUNCTION("file", "r", closed());
}
/// violates deref: freopen
{
    char open[2] = {'a', 'b'};
    freopen(open, "r", stdin);
}
/// violates deref: popen
{
    char open[2] = {'a', 'b'};
    popen(open, "r");
}
/// violates deref: fopen
{
    FILE *f = fopen("file", "r");
    fgetc(f);
}
/// violates unsupported: fopen
{
    for (int n = 0; n < 17;)
        n += fopen("file", "r") != NULL;
}
/// holds: tmpfile tmpfile64
{
    FILE *f = FUNCTION();
    if (f)
        fclose(f);
}
/// violates unsupported: tmpfile tmpfile64
{
    for (int n = 0; n < 17;)
        n += FUNCTION() != NULL;
}
#define call_fmemopen(p, n) fmemopen(*(p), *(n), "r")
#define call_open_memstream open_memstream
/// holds: fmemopen open_memstream
{
    char a[4], *p = a;
    size_t n = 4;
    if (never())
        call_FUNCTION(&p, &n);
}
/// violates unsupported: fmemopen open_memstream
{
    char a[4], *p = a;
    size_t n = 4;
    call_FUNCTION(&p, &n);
}
/// holds: fclose pclose
{
    sk_assert(FUNCTION(some()) >= -1);
}
/// violates deref: fclose pclose
{
    FUNCTION(closed());
}
/// violates deref: fclose pclose
{
    FUNCTION(NULL);
}

/* ---- Bytes ------------------------------------------------------------------------------ */

/// holds: fgetc getc _IO_getc fgetc_unlocked getc_unlocked __uflow
{
    FILE *f = some();
    int c = FUNCTION(f);
    sk_assert(c >= -1 && c <= 255);
    sk_assert(c != EOF || feof(f) || ferror(f));
}
/// holds: getchar getchar_unlocked
{
    int c = FUNCTION();
    sk_assert(c >= -1 && c <= 255);
    if (c == EOF && feof(stdin))
        sk_assert(FUNCTION() == EOF);
}
/// violates deref: getchar getchar_unlocked
{
    fclose(stdin);
    FUNCTION();
}
/// violates deref: fgetc getc _IO_getc fgetc_unlocked getc_unlocked __uflow getw
{
    FUNCTION(NULL);
}
/// violates deref: fgetc getc _IO_getc fgetc_unlocked getc_unlocked __uflow getw
{
    FUNCTION(closed());
}
/// holds: getw ungetc
{
    FILE *f = some();
    getw(f);
    int c = ungetc('a', f);
    sk_assert(c == 'a' || c == EOF);
    if (c == 'a')
        sk_assert(!feof(f));
    sk_assert(ungetc(EOF, f) == EOF);
}
/// violates deref: ungetc
{
    ungetc('a', closed());
}
#define call___overflow(c, f) __overflow(f, c)
#define call_fputc fputc
#define call_putc putc
#define call__IO_putc _IO_putc
#define call_fputc_unlocked fputc_unlocked
#define call_putc_unlocked putc_unlocked
#define call_putw putw
/// holds: fputc putc _IO_putc fputc_unlocked putc_unlocked __overflow
{
    int c = call_FUNCTION('a' + 256, stdout);
    sk_assert(c == 'a' || (c == EOF && ferror(stdout)));
}
/// holds: putw
{
    int result = putw(7, stdout);
    sk_assert(result == 0 || (result == EOF && ferror(stdout)));
}
/// violates deref: fputc putc _IO_putc fputc_unlocked putc_unlocked __overflow putw
{
    call_FUNCTION('a', NULL);
}
/// violates deref: fputc putc _IO_putc fputc_unlocked putc_unlocked __overflow putw
{
    call_FUNCTION('a', closed());
}
/// holds: putchar putchar_unlocked
{
    int c = FUNCTION('a');
    sk_assert(c == 'a' || c == EOF);
}

/* ---- Strings and lines ------------------------------------------------------------------ */

/// holds: fputs fputs_unlocked
{
    sk_assert(FUNCTION("abc", stdout) >= -1);
}
/// violates deref: fputs fputs_unlocked
{
    char open[3] = {'a', 'b', 'c'};
    FUNCTION(open, stdout);
}
/// violates deref: fputs fputs_unlocked
{
    FUNCTION("abc", closed());
}
/// holds: puts perror
{
    sk_assert(puts("abc") >= -1);
    perror("abc");
    perror(NULL);
}
/// violates deref: puts perror
{
    char open[3] = {'a', 'b', 'c'};
    FUNCTION(open);
}
#define call_fgets(to, n, f) fgets(to, n, f)
#define call_fgets_unlocked(to, n, f) fgets_unlocked(to, n, f)
#define call___fgets_chk(to, n, f) __fgets_chk(to, 8, n, f)
#define call___fgets_unlocked_chk(to, n, f) __fgets_unlocked_chk(to, 8, n, f)
/// holds: fgets fgets_unlocked __fgets_chk __fgets_unlocked_chk
{
    char line[8];
    FILE *f = some();
    if (call_FUNCTION(line, 8, f)) {
        sk_assert(strlen(line) <= 7);
        char *newline = memchr(line, '\n', strlen(line));
        sk_assert(!newline || newline[1] == 0);
    } else {
        sk_assert(feof(f) || ferror(f));
    }
    line[0] = 'a';
    sk_assert(call_FUNCTION(line, 1, f) == line && line[0] == 0 && !call_FUNCTION(line, 0, f));
}
/// violates deref: fgets fgets_unlocked __fgets_chk __fgets_unlocked_chk
{
    char line[7];
    call_FUNCTION(line, 8, stdin);
}
/// violates deref: __fgets_chk __fgets_unlocked_chk
{
    char line[10];
    call_FUNCTION(line, 9, stdin);
}
/// violates deref: fgets fgets_unlocked __fgets_chk __fgets_unlocked_chk
{
    char line[8];
    call_FUNCTION(line, 1, closed());
}
/// violates assert: fgets
{
    char line[8] = "";
    sk_assert(!fgets(line, 8, stdin) || line[0] == 'a');
}
/// holds: gets __gets_chk
{
    char line[8];
    if (never())
        gets(line);
    if (never())
        __gets_chk(line, 8);
}
/// violates deref: gets
{
    char line[8];
    gets(line);
}
/// violates deref: __gets_chk
{
    char line[100];
    __gets_chk(line, 8);
}
#define call_getline(line, n, f) getline(line, n, f)
#define call_getdelim(line, n, f) getdelim(line, n, ':', f)
#define call___getdelim(line, n, f) __getdelim(line, n, ':', f)
/// holds: getline getdelim __getdelim
{
    char *line = NULL;
    size_t n = 0;
    ssize_t length = call_FUNCTION(&line, &n, stdin);
    if (length >= 0)
        sk_assert((size_t)length < n && line[length] == 0);
    sk_assume(n < 1000);
    length = call_FUNCTION(&line, &n, stdin);
    if (length >= 0)
        sk_assert(length >= 1 && line[length] == 0);
    free(line);
}
/// violates free: getline getdelim __getdelim
{
    char a[4], *line = a;
    size_t n = 4;
    call_FUNCTION(&line, &n, stdin);
}
/// violates deref: getline getdelim __getdelim
{
    char *line = malloc(4);
    size_t n = 5;
    call_FUNCTION(&line, &n, stdin);
    free(line);
}
/// violates deref: getline getdelim __getdelim
{
    char *line = NULL;
    size_t n = 0;
    call_FUNCTION(&line, &n, NULL);
}
/// violates leak: getline getdelim __getdelim
{
    char *line = NULL;
    size_t n = 0;
    sk_assume(call_FUNCTION(&line, &n, stdin) >= 0);
    line = NULL;
}
/// violates leak: getline getdelim __getdelim
{
    char *line = NULL;
    size_t n = 0;
    sk_assume(call_FUNCTION(&line, &n, stdin) < 0);
    line = NULL;
}

/* ---- Blocks ----------------------------------------------------------------------------- */

#define call_fread fread
#define call_fread_unlocked fread_unlocked
#define call___fread_chk(to, size, count, f) __fread_chk(to, 8, size, count, f)
#define call___fread_unlocked_chk(to, size, count, f) __fread_unlocked_chk(to, 8, size, count, f)
/// holds: fread fread_unlocked __fread_chk __fread_unlocked_chk
{
    char a[9] = "";
    FILE *f = some();
    size_t n = call_FUNCTION(a, 2, 4, f);
    sk_assert(n <= 4 && (n == 4 || feof(f) || ferror(f)) && a[8] == 0);
    sk_assert(call_FUNCTION(NULL, 0, 4, f) == 0);
}
/// violates deref: fread fread_unlocked __fread_chk __fread_unlocked_chk
{
    char a[7];
    call_FUNCTION(a, 2, 4, stdin);
}
/// violates deref: __fread_chk __fread_unlocked_chk
{
    char a[10];
    call_FUNCTION(a, 3, 3, stdin);
}
/// violates deref: fread fread_unlocked __fread_chk __fread_unlocked_chk
{
    char a[8];
    call_FUNCTION(a, 2, 4, closed());
}
/// violates deref: fread fread_unlocked __fread_chk __fread_unlocked_chk
{
    char a[8];
    call_FUNCTION(a, 2, (size_t)-1 / 2 + 2, stdin);
}
/// violates assert: fread
{
    char c = 'a';
    sk_assert(fread(&c, 1, 1, stdin) != 1 || c == 'a');
}
/// holds: fwrite fwrite_unlocked
{
    char a[8] = "";
    size_t n = FUNCTION(a, 2, 4, stdout);
    sk_assert(n <= 4 && (n == 4 || ferror(stdout)));
}
/// violates deref: fwrite fwrite_unlocked
{
    char a[7] = {0};
    FUNCTION(a, 2, 4, stdout);
}
/// violates deref: fwrite fwrite_unlocked
{
    FUNCTION("abc", 1, 3, closed());
}

/* ---- Positions, buffers, flags ---------------------------------------------------------- */

/// holds: feof ferror feof_unlocked ferror_unlocked clearerr clearerr_unlocked rewind
{
    FILE *f = some();
    sk_assert(!feof(f) && !ferror(f));
    fgetc(f);
    sk_assert(!feof(f) == !feof_unlocked(f) && !ferror(f) == !ferror_unlocked(f));
    clearerr(f);
    sk_assert(!feof(f) && !ferror(f));
    fgetc(f);
    clearerr_unlocked(f);
    sk_assert(!feof(f) && !ferror(f));
    fgetc(f);
    rewind(f);
    sk_assert(!feof(f) && !ferror(f));
}
/// holds: fileno fileno_unlocked
{
    sk_assert(FUNCTION(stdin) >= 0);
}
/// holds: fflush fflush_unlocked
{
    sk_assert(FUNCTION(stdout) <= 0 && FUNCTION(NULL) >= -1);
}
/// violates deref: feof ferror feof_unlocked ferror_unlocked clearerr clearerr_unlocked rewind fileno fileno_unlocked fflush
///     fflush_unlocked ftell ftello ftello64 setlinebuf flockfile funlockfile ftrylockfile
{
    FUNCTION(closed());
}
/// violates deref: feof ferror feof_unlocked ferror_unlocked clearerr clearerr_unlocked rewind fileno fileno_unlocked ftell ftello
///     ftello64
{
    FUNCTION(NULL);
}
/// holds: setbuf setvbuf setbuffer setlinebuf flockfile funlockfile ftrylockfile
{
    static char buffer[BUFSIZ];
    FILE *f = some();
    setbuf(f, buffer);
    setbuf(f, NULL);
    setvbuf(f, buffer, _IOFBF, BUFSIZ);
    setvbuf(f, NULL, _IONBF, 0);
    setbuffer(f, buffer, 10);
    setlinebuf(f);
    flockfile(f);
    sk_assert(ftrylockfile(f) == 0);
    funlockfile(f);
}
/// violates deref: setbuf
{
    char buffer[BUFSIZ - 1];
    setbuf(stdout, buffer);
}
/// violates deref: setvbuf
{
    char buffer[10];
    setvbuf(stdout, buffer, _IOFBF, 11);
}
/// violates deref: setbuffer
{
    char buffer[10];
    setbuffer(stdout, buffer, 11);
}
/// violates deref: setbuf
{
    setbuf(closed(), NULL);
}
/// holds: fseek fseeko fseeko64 ftell ftello ftello64
{
    FILE *f = some();
    sk_assert(ftell(f) >= -1 && ftello(f) >= -1 && ftello64(f) >= -1);
    fgetc(f);
    if (fseek(f, 1, SEEK_SET) == 0)
        sk_assert(!feof(f));
    fgetc(f);
    if (fseeko(f, 1, SEEK_SET) == 0)
        sk_assert(!feof(f));
    fgetc(f);
    if (fseeko64(f, 1, SEEK_SET) == 0)
        sk_assert(!feof(f));
}
/// violates deref: fseek fseeko fseeko64
{
    FUNCTION(NULL, 0, SEEK_SET);
}
/// violates deref: fseek fseeko fseeko64
{
    FUNCTION(closed(), 0, SEEK_SET);
}
/// holds: fgetpos fgetpos64 fsetpos fsetpos64
{
    FILE *f = some();
    fpos_t position;
    fpos64_t position64;
    if (fgetpos(f, &position) == 0 && fsetpos(f, &position) == 0)
        sk_assert(!feof(f));
    if (fgetpos64(f, &position64) == 0 && fsetpos64(f, &position64) == 0)
        sk_assert(!feof(f));
}
/// violates deref: fgetpos fsetpos
{
    int position = 0;
    FUNCTION(stdin, (fpos_t *)&position);
}
/// violates deref: fgetpos64 fsetpos64
{
    int position = 0;
    FUNCTION(stdin, (fpos64_t *)&position);
}
/// violates deref: fgetpos
{
    fpos_t position;
    fgetpos(closed(), &position);
}

/* ---- Files ------------------------------------------------------------------------------ */

/// holds: remove rename tmpnam tempnam
{
    sk_assert(remove("path") <= 0 && rename("path", "other") <= 0);
    char name[L_tmpnam];
    char *p = tmpnam(name);
    sk_assert(!p || (p == name && strlen(name) < L_tmpnam));
    p = tmpnam(NULL);
    sk_assert(!p || strlen(p) < L_tmpnam);
    p = tempnam(NULL, "a");
    if (p)
        sk_assert(strlen(p) < 4096);
    free(p);
}
/// violates deref: remove
{
    char open[2] = {'a', 'b'};
    remove(open);
}
/// violates deref: rename
{
    char open[2] = {'a', 'b'};
    rename("path", open);
}
/// violates deref: tmpnam
{
    char name[L_tmpnam - 1];
    tmpnam(name);
}
/// violates deref: tempnam
{
    char open[2] = {'a', 'b'};
    free(tempnam("folder", open));
}
/// violates leak: tempnam
{
    tempnam(NULL, NULL);
}

/* ---- Wide characters -------------------------------------------------------------------- */

/// holds: fgetwc getwc
{
    FILE *f = some();
    wint_t c = FUNCTION(f);
    sk_assert(c != WEOF || feof(f) || ferror(f));
}
/// holds: getwchar putwchar ungetwc fwide
{
    wint_t c = getwchar();
    sk_assert(c != WEOF || feof(stdin) || ferror(stdin));
    c = putwchar(L'a');
    sk_assert(c == L'a' || c == WEOF);
    c = ungetwc(L'a', stdin);
    sk_assert(c == L'a' || c == WEOF);
    sk_assert(fwide(stdin, 1) != 0);
}
/// violates deref: getwchar
{
    fclose(stdin);
    getwchar();
}
/// violates deref: fgetwc getwc
{
    FUNCTION(closed());
}
/// violates deref: ungetwc
{
    ungetwc(L'a', NULL);
}
/// violates deref: fwide
{
    fwide(closed(), 0);
}
/// holds: fputwc putwc
{
    wint_t c = FUNCTION(L'a', stdout);
    sk_assert(c == L'a' || (c == WEOF && ferror(stdout)));
}
/// violates deref: fputwc putwc
{
    FUNCTION(L'a', NULL);
}
/// holds: fputws fgetws
{
    sk_assert(fputws(L"abc", stdout) >= -1);
    wchar_t line[4];
    if (fgetws(line, 4, stdin))
        sk_assert(wcslen(line) < 4);
    else
        sk_assert(feof(stdin) || ferror(stdin));
}
/// violates deref: fputws
{
    wchar_t open[2] = {L'a', L'b'};
    fputws(open, stdout);
}
/// violates deref: fputws
{
    fputws(L"abc", closed());
}
/// violates deref: fgetws
{
    wchar_t line[4];
    fgetws(line, 5, stdin);
}
/// violates deref: fgetws
{
    wchar_t line[4];
    fgetws(line, 1, closed());
}

/* ---- What is known of streams ----------------------------------------------------------- */

/// holds: fileno fopen
{
    sk_assert(fileno(stdin) == 0 && fileno(stdout) == 1 && fileno(stderr) == 2);
    FILE *one = fopen("a", "r"), *two = fopen("b", "r");
    if (one && two)
        sk_assert(fileno(one) == fileno(one) && fileno(one) != fileno(two) && fileno(one) > 2);
}
/// holds: ftell ftello fseek rewind
{
    FILE *f = fopen("a", "r");
    if (f) {
        sk_assert(ftell(f) <= 0);
        if (fseek(f, 5, SEEK_SET) == 0) {
            long at = ftell(f), other = ftello(f);
            sk_assert((at == 5 || at == -1) && (other == 5 || other == -1));
        }
        if (fseek(f, 0, SEEK_END) == 0) {
            long size = ftell(f), again = ftell(f);
            sk_assert(size == again || size == -1 || again == -1);
        }
        rewind(f);
        sk_assert(ftell(f) <= 0);
    }
}
/// violates assert: ftell
{
    FILE *f = fopen("a", "r");
    if (f && fseek(f, 0, SEEK_END) == 0)
        sk_assert(ftell(f) <= 0);
}
/// holds: ungetc fgets fread getline
{
    char line[4];
    sk_assert(ungetc('x', stdin) == 'x' && getchar() == 'x' && ungetc(EOF, stdin) == EOF);
    sk_assert(ungetc('y', stdin) == 'y' && fgets(line, 4, stdin) && line[0] == 'y');
    sk_assert(ungetc('z', stdin) == 'z');
    if (fread(line, 1, 1, stdin) == 1)
        sk_assert(line[0] == 'z');
    char *text = NULL;
    size_t room = 0;
    sk_assert(ungetc('u', stdin) == 'u');
    if (getline(&text, &room, stdin) > 0)
        sk_assert(text[0] == 'u');
    free(text);
}
/// violates assert: getchar
{
    int c = getchar();
    sk_assert(getchar() == c);
}
/// holds: printf fprintf
{
    int x = sk_nondet_int(), count = 0;
    int n = printf("abc %d", 12);
    sk_assert(n == 6 || n < 0);
    n = fprintf(stdout, "%s%5c", "abc", 'd');
    sk_assert(n == 8 || n < 0);
    n = printf("%d%n!", x, &count);
    sk_assert(count >= 1 && count <= 11 && (n == count + 1 || n < 0));
}
/// violates assert: printf
{
    sk_assert(printf("abc") >= 0);
}
/// violates assert: fprintf
{
    sk_assert(fprintf(stdout, "%d", sk_nondet_int()) <= 1);
}
