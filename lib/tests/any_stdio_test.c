/* any_stdio_test.c: streams, and the scanf family over them. */
#define _GNU_SOURCE
#include "any.h"

#include <stdarg.h>
#include <stdint.h>
#include <wchar.h>

/* ---- Streams ---------------------------------------------------------------------------- */

struct stream;
extern struct stream *model_stdin, *model_stdout, *model_stderr;
struct stream *model_fopen(const char *, const char *);
struct stream *model_fopen64(const char *, const char *);
struct stream *model_fdopen(int, const char *);
struct stream *model_popen(const char *, const char *);
struct stream *model_tmpfile(void);
struct stream *model_freopen(const char *, const char *, struct stream *);
int model_fclose(struct stream *), model_pclose(struct stream *);
int model_feof(struct stream *), model_feof_unlocked(struct stream *);
int model_ferror(struct stream *), model_ferror_unlocked(struct stream *);
void model_clearerr(struct stream *), model_rewind(struct stream *);
int model_fileno(struct stream *), model_fflush(struct stream *);
void model_setbuf(struct stream *, char *);
int model_setvbuf(struct stream *, char *, int, size_t);
int model_fseek(struct stream *, long, int), model_fseeko(struct stream *, long, int);
int model_fseeko64(struct stream *, long long, int);
long model_ftell(struct stream *), model_ftello(struct stream *);
struct stream *model_tmpfile64(void), *model_freopen64(const char *, const char *, struct stream *);
struct stream *model_fmemopen(void *, size_t, const char *), *model_open_memstream(char **, size_t *);
void model_clearerr_unlocked(struct stream *), model_setbuffer(struct stream *, char *, size_t), model_setlinebuf(struct stream *);
void model_flockfile(struct stream *), model_funlockfile(struct stream *);
int model_ftrylockfile(struct stream *), model_fileno_unlocked(struct stream *), model_fflush_unlocked(struct stream *);
int model_fgetpos(struct stream *, void *), model_fgetpos64(struct stream *, void *);
int model_fsetpos(struct stream *, const void *), model_fsetpos64(struct stream *, const void *);
size_t model___fread_unlocked_chk(void *, size_t, size_t, size_t, struct stream *);
char *model___fgets_unlocked_chk(char *, size_t, int, struct stream *);
long long model_ftello64(struct stream *);

#define GETTERS(use) use(fgetc) use(getc) use(_IO_getc) use(fgetc_unlocked) use(getc_unlocked) use(__uflow)
#define PUTTERS(use) use(fputc) use(putc) use(_IO_putc) use(fputc_unlocked) use(putc_unlocked)
#define DECLARE_GETTER(name) int model_##name(struct stream *);
#define DECLARE_PUTTER(name) int model_##name(int, struct stream *);
GETTERS(DECLARE_GETTER)
PUTTERS(DECLARE_PUTTER)
int model_getchar(void), model_getchar_unlocked(void), model_getw(struct stream *), model_ungetc(int, struct stream *);
int model___overflow(struct stream *, int), model_putw(int, struct stream *);
int model_fputs(const char *, struct stream *), model_fputs_unlocked(const char *, struct stream *);
int model_putchar(int), model_putchar_unlocked(int), model_puts(const char *);
void model_perror(const char *);
char *model_fgets(char *, int, struct stream *), *model_fgets_unlocked(char *, int, struct stream *);
char *model___fgets_chk(char *, size_t, int, struct stream *), *model_gets(char *), *model___gets_chk(char *, size_t);
ssize_t model_getline(char **, size_t *, struct stream *), model_getdelim(char **, size_t *, int, struct stream *);
ssize_t model___getdelim(char **, size_t *, int, struct stream *);
size_t model_fread(void *, size_t, size_t, struct stream *), model_fread_unlocked(void *, size_t, size_t, struct stream *);
size_t model___fread_chk(void *, size_t, size_t, size_t, struct stream *);
size_t model_fwrite(const void *, size_t, size_t, struct stream *);
size_t model_fwrite_unlocked(const void *, size_t, size_t, struct stream *);
int model_remove(const char *), model_rename(const char *, const char *);
char *model_tmpnam(char *);

static struct stream *some_stream(void) {
    struct stream *f = NULL;
    while (ATTEMPT(f = model_fopen("file", "r")) != RETURNED || !f)
        continue;
    return f;
}

/* A line: a terminator behind one to n - 1 bytes, at most one newline, at its end. */
static int is_line(const char *p, int n) {
    for (int i = n; i-- > 1;)
        if (p[i] == 0 && memchr(p, '#', i) == NULL) {
            char *newline = memchr(p, '\n', i);
            if ((!newline || newline == p + i - 1) && untouched(p, i + 1, n))
                return 1;
        }
    /* The line itself may have the byte that marks what is untouched. */
    return memchr(p, 0, n) != NULL;
}

static void streams(void) {
    struct stream *f = NULL;
    int result = 0;
#define OPENS(name, call) \
    ALWAYS(name, { f = call; if (f) model_fclose(f); }, 1)
    OPENS("fopen", model_fopen("file", "r"));
    OPENS("fopen64", model_fopen64("file", "r"));
    OPENS("fdopen", model_fdopen(3, "r"));
    OPENS("popen", model_popen("true", "r"));
    OPENS("tmpfile", model_tmpfile());
    OPENS("tmpfile64", model_tmpfile64());
    UNSUPPORTED("fmemopen", model_fmemopen(NULL, 1, "r"));
    UNSUPPORTED("open_memstream", model_open_memstream(NULL, NULL));
    f = some_stream();
    ALWAYS("freopen64", { f = f ? f : some_stream(); f = model_freopen64("file", "w", f); }, 1);
    f = some_stream();
    ALWAYS("freopen", { f = f ? f : some_stream(); f = model_freopen("file", "w", f); }, 1);
    f = some_stream();
    struct stream *g = some_stream();
    EXPECT(f != g, "streams are different");
    ALWAYS("fclose", model_fclose(some_stream()), 1);
    ALWAYS("pclose", model_pclose(some_stream()), 1);
    EXPECT(ATTEMPT(model_fclose(g)) == RETURNED && ATTEMPT(model_fclose(g)) == CHECK_FAILED, "a stream is closed once");
    EXPECT(ATTEMPT(model_fgetc(g)) == CHECK_FAILED, "a closed stream is not read");
    EXPECT(ATTEMPT(model_fgetc(NULL)) == FAULT, "no stream");
    EXPECT(model_stdin != model_stdout && model_stdout != model_stderr, "standard streams");
    COVERS("stdin"), COVERS("stdout"), COVERS("stderr");

#define GETS_BYTE(name) ALWAYS(#name, { model_clearerr(f); result = model_##name(f); }, result >= -1 && result <= 255);
    GETTERS(GETS_BYTE)
    ALWAYS("getchar", { model_clearerr(model_stdin); result = model_getchar(); }, result >= -1 && result <= 255);
    ALWAYS("getchar_unlocked", result = model_getchar_unlocked(), result >= -1 && result <= 255);
    ALWAYS("ungetc", result = model_ungetc('a', f), result == 'a' || result == -1);
    ALWAYS("getw", result = model_getw(f), 1);
    /* Behind the end there is nothing, until the flag is cleared. */
    ALWAYS("feof", { model_clearerr(f); result = model_fgetc(f); },
           result != -1 || !model_feof(f) || (model_fgetc(f) == -1 && !model_ferror(f)));
    ALWAYS("ferror", { model_clearerr(f); result = model_fgetc(f); }, result != -1 || model_feof(f) || model_ferror(f));
    ALWAYS("feof_unlocked", result = model_feof_unlocked(f), result == model_feof(f));
    ALWAYS("ferror_unlocked", result = model_ferror_unlocked(f), result == model_ferror(f));
    ALWAYS("clearerr", model_clearerr(f), !model_feof(f) && !model_ferror(f));
    ALWAYS("rewind", model_rewind(f), !model_feof(f) && !model_ferror(f));

#define PUTS_BYTE(name) ALWAYS(#name, result = model_##name('a' + 256, f), result == 'a' || result == -1);
    PUTTERS(PUTS_BYTE)
    ALWAYS("__overflow", result = model___overflow(f, 'a'), result == 'a' || result == -1);
    ALWAYS("putw", result = model_putw(1, f), result == 0 || result == -1);
    ALWAYS("putchar", result = model_putchar('a'), result == 'a' || result == -1);
    ALWAYS("putchar_unlocked", result = model_putchar_unlocked('a'), result == 'a' || result == -1);
    ALWAYS("fputs", result = model_fputs("abc", f), result >= -1);
    ALWAYS("fputs_unlocked", result = model_fputs_unlocked("abc", f), result >= -1);
    ALWAYS("puts", result = model_puts("abc"), result >= -1);
    ALWAYS("perror", model_perror("abc"), 1);
    EXPECT(ATTEMPT(model_perror(NULL)) == RETURNED, "perror without a text");
    char *open = memset(guarded(0, 4), 'a', 4);
    VIOLATES("puts", model_puts(open));
    VIOLATES("fputs", model_fputs(open, f));

    ALWAYS("fileno", result = model_fileno(f), result >= 0);
    ALWAYS("fflush", result = model_fflush(f), result == 0 || result == -1);
    EXPECT(ATTEMPT(model_fflush(NULL)) == RETURNED, "fflush of all streams");
    ALWAYS("setbuf", model_setbuf(f, NULL), 1);
    ALWAYS("setvbuf", model_setvbuf(f, NULL, 0, 0), 1);
    VIOLATES("setvbuf", model_setvbuf(f, guarded(0, 4), 0, 5));
    ALWAYS("fseek", result = model_fseek(f, 0, 0), result == -1 || !model_feof(f));
    ALWAYS("fseeko", result = model_fseeko(f, 0, 0), result == -1 || !model_feof(f));
    ALWAYS("fseeko64", result = model_fseeko64(f, 0, 0), result == -1 || !model_feof(f));
    VIOLATES("setbuf", model_setbuf(f, guarded(0, BUFSIZ - 1)));
    ALWAYS("setbuffer", model_setbuffer(f, guarded(0, 4), 4), 1);
    VIOLATES("setbuffer", model_setbuffer(f, guarded(0, 4), 5));
    ALWAYS("setlinebuf", model_setlinebuf(f), 1);
    ALWAYS("flockfile", model_flockfile(f), 1);
    ALWAYS("funlockfile", model_funlockfile(f), 1);
    ALWAYS("ftrylockfile", result = model_ftrylockfile(f), result == 0);
    ALWAYS("clearerr_unlocked", model_clearerr_unlocked(f), !model_feof(f) && !model_ferror(f));
    ALWAYS("fileno_unlocked", result = model_fileno_unlocked(f), result >= 0);
    ALWAYS("fflush_unlocked", result = model_fflush_unlocked(f), result == 0 || result == -1);
    ALWAYS("fgetpos", result = model_fgetpos(f, guarded(0, sizeof(fpos_t))), result == 0 || result == -1);
    ALWAYS("fgetpos64", result = model_fgetpos64(f, guarded(0, sizeof(fpos64_t))), result == 0 || result == -1);
    ALWAYS("fsetpos", result = model_fsetpos(f, guarded(0, sizeof(fpos_t))), result == -1 || !model_feof(f));
    ALWAYS("fsetpos64", result = model_fsetpos64(f, guarded(0, sizeof(fpos64_t))), result == -1 || !model_feof(f));
    VIOLATES("fgetpos", model_fgetpos(f, guarded(0, sizeof(fpos_t) - 1)));
    long long offset = 0;
    ALWAYS("ftell", offset = model_ftell(f), offset >= -1);
    ALWAYS("ftello", offset = model_ftello(f), offset >= -1);
    ALWAYS("ftello64", offset = model_ftello64(f), offset >= -1);
    ALWAYS("remove", result = model_remove("file"), result == 0 || result == -1);
    ALWAYS("rename", result = model_rename("file", "other"), result == 0 || result == -1);
    char *name = NULL;
    ALWAYS("tmpnam", name = model_tmpnam(random_below(2) ? NULL : buffer(0, 20)), !name || strlen(name) < 20);
    VIOLATES("tmpnam", model_tmpnam(guarded(0, 19)));
}

static void lines(void) {
    struct stream *f = some_stream();
    char *line = NULL, *got = NULL;
    int n = 0;
#define READS_LINE(name, call) \
    ALWAYS(name, { model_clearerr(f); n = 1 + (int)random_below(12); line = buffer(0, n); got = call; }, \
           got ? got == line && is_line(line, n) : 1)
    READS_LINE("fgets", model_fgets(line, n, f));
    READS_LINE("fgets_unlocked", model_fgets_unlocked(line, n, f));
    READS_LINE("__fgets_chk", model___fgets_chk(line, n, n, f));
    READS_LINE("__fgets_unlocked_chk", model___fgets_unlocked_chk(line, n, n, f));
    VIOLATES("__fgets_chk", { model_clearerr(f); model___fgets_chk(buffer(0, 16), 9, 10, f); });
    VIOLATES("fgets", { model_clearerr(f); model_fgets(guarded(0, 9), 10, f); });
    VIOLATES("gets", { model_clearerr(model_stdin); model_gets(guarded(0, 9)); });
    VIOLATES("__gets_chk", { model_clearerr(model_stdin); model___gets_chk(guarded(0, 9), 9); });
    COVERS("gets"), COVERS("__gets_chk");
    char *memory = NULL;
    size_t room = 0;
    ssize_t length = 0;
#define READS_ANY_LINE(name, call) \
    ALWAYS(name, { model_clearerr(f); length = call; }, \
           length == -1 || (length >= 1 && (size_t)length < room && memory[length] == 0))
    READS_ANY_LINE("getline", model_getline(&memory, &room, f));
    READS_ANY_LINE("getdelim", model_getdelim(&memory, &room, ':', f));
    READS_ANY_LINE("__getdelim", model___getdelim(&memory, &room, ':', f));
    memory = buffer(0, 4);
    VIOLATES("getline", { model_clearerr(f); model_getline(&memory, &room, f); });
}

static void blocks(void) {
    struct stream *f = some_stream();
    size_t got = 0;
    char *p = NULL;
#define READS_BLOCK(name, call) \
    ALWAYS(name, { model_clearerr(f); p = buffer(0, 24); got = call; }, got <= 6 && untouched(p, got * 3 + 2 < 18 ? got * 3 + 2 : 18, 24))
    READS_BLOCK("fread", model_fread(p, 3, 6, f));
    READS_BLOCK("fread_unlocked", model_fread_unlocked(p, 3, 6, f));
    READS_BLOCK("__fread_chk", model___fread_chk(p, 24, 3, 6, f));
    READS_BLOCK("__fread_unlocked_chk", model___fread_unlocked_chk(p, 24, 3, 6, f));
    VIOLATES("__fread_chk", model___fread_chk(buffer(0, 24), 17, 3, 6, f));
    ALWAYS("fwrite", got = model_fwrite(p, 3, 6, f), got <= 6);
    ALWAYS("fwrite_unlocked", got = model_fwrite_unlocked(p, 3, 6, f), got <= 6);
    EXPECT(model_fread(NULL, 0, 6, f) == 0 && model_fwrite(NULL, 3, 0, f) == 0, "nothing to read or write");
    VIOLATES("fread", model_fread(guarded(0, 17), 3, 6, f));
    VIOLATES("fwrite", model_fwrite(guarded(0, 17), 3, 6, f));
    VIOLATES("fread", model_fread(guarded(0, 17), SIZE_MAX / 2 + 1, 2, f));
}

/* ---- Formats over streams --------------------------------------------------------------- */

typedef int (*print_function)(struct stream *, const char *, ...);
int model_fprintf(struct stream *, const char *, ...), model_vfprintf(struct stream *, const char *, va_list);
int model___fprintf_chk(struct stream *, int, const char *, ...);
int model___vfprintf_chk(struct stream *, int, const char *, va_list);
int model_fwprintf(struct stream *, const wchar_t *, ...), model_vfwprintf(struct stream *, const wchar_t *, va_list);
int model_vwprintf(const wchar_t *, va_list);
void model_syslog(int, const char *, ...), model_vsyslog(int, const char *, va_list);
void model___syslog_chk(int, int, const char *, ...), model___vsyslog_chk(int, int, const char *, va_list);
int model___dprintf_chk(int, int, const char *, ...), model___vdprintf_chk(int, int, const char *, va_list);
int model___wprintf_chk(int, const wchar_t *, ...), model___fwprintf_chk(struct stream *, int, const wchar_t *, ...);
void model_openlog(const char *, int, int), model_closelog(void);
int model_setlogmask(int);
void model_warn(const char *, ...), model_warnx(const char *, ...);
void model_vwarn(const char *, va_list), model_vwarnx(const char *, va_list);
void model_err(int, const char *, ...), model_errx(int, const char *, ...), model_error(int, int, const char *, ...);
void model_verr(int, const char *, va_list), model_verrx(int, const char *, va_list);

static int with_list(struct stream *f, const char *format, ...) {
    va_list list;
    int result = 0;
#define LIST(name, call) \
    ALWAYS(name, { va_start(list, format); result = call; va_end(list); }, result >= -1)
    LIST("vfprintf", model_vfprintf(f, format, list));
    LIST("__vfprintf_chk", model___vfprintf_chk(f, 1, format, list));
    LIST("vwarn", (model_vwarn(format, list), 0));
    LIST("vwarnx", (model_vwarnx(format, list), 0));
    LIST("__vsyslog_chk", (model___vsyslog_chk(1, 1, format, list), 0));
    LIST("__vdprintf_chk", model___vdprintf_chk(1, 1, format, list));
    LIST("vsyslog", (model_vsyslog(1, format, list), 0));
    va_start(list, format);
    EXPECT(ATTEMPT(model_verr(1, format, list)) == HALTED, "verr ends the program");
    EXPECT(ATTEMPT(model_verrx(1, format, list)) == HALTED, "verrx ends the program");
    va_end(list);
    COVERS("verr"), COVERS("verrx");
    return result;
}

static void with_wide_list(struct stream *f, const wchar_t *format, ...) {
    va_list list;
    int result = 0;
    LIST("vfwprintf", model_vfwprintf(f, format, list));
    LIST("vwprintf", model_vwprintf(format, list));
}

void model___selkie_print_string(const char *, int), model___selkie_print_string_wide(const wchar_t *, int);
int model___selkie_print_result(void), model___selkie_print_result_to(struct stream *);
void model___VERIFIER_atomic_begin(void), model___VERIFIER_atomic_end(void);

static void known_formats(void) {
    struct stream *f = some_stream();
    char *open = memset(guarded(0, 4), 'a', 4);
    int result = 0;
    ALWAYS("__selkie_print_string", model___selkie_print_string(open, 4), 1);
    VIOLATES("__selkie_print_string", model___selkie_print_string(open, -1));
    ALWAYS("__selkie_print_string_wide", model___selkie_print_string_wide(L"abc", -1), 1);
    VIOLATES("__selkie_print_string_wide", model___selkie_print_string_wide((wchar_t *)open, 2));
    ALWAYS("__selkie_print_result", result = model___selkie_print_result(), result >= -1);
    ALWAYS("__selkie_print_result_to", result = model___selkie_print_result_to(f), result >= -1);
    VIOLATES("__selkie_print_result_to", model___selkie_print_result_to(NULL));
    ALWAYS("__VERIFIER_atomic_begin", model___VERIFIER_atomic_begin(), 1);
    ALWAYS("__VERIFIER_atomic_end", model___VERIFIER_atomic_end(), 1);
}

static void messages(void) {
    struct stream *f = some_stream();
    int result = 0;
    char *open = memset(guarded(0, 4), 'a', 4);
    ALWAYS("fprintf", result = model_fprintf(f, "%d %s", 1, "abc"), result >= -1);
    ALWAYS("__fprintf_chk", result = model___fprintf_chk(f, 1, "%d %s", 1, "abc"), result >= -1);
    ALWAYS("fwprintf", result = model_fwprintf(f, L"%d %s", 1, "abc"), result >= -1);
    VIOLATES("fprintf", model_fprintf(f, "%s", open));
    ALWAYS("__dprintf_chk", result = model___dprintf_chk(1, 1, "%d %s", 1, "abc"), result >= -1);
    ALWAYS("__wprintf_chk", result = model___wprintf_chk(1, L"%d %s", 1, "abc"), result >= -1);
    ALWAYS("__fwprintf_chk", result = model___fwprintf_chk(f, 1, L"%d %s", 1, "abc"), result >= -1);
    ALWAYS("__syslog_chk", model___syslog_chk(1, 1, "%s", "abc"), 1);
    with_list(f, "%d %s", 1, "abc");
    with_wide_list(f, L"%d %ls", 1, L"abc");
    ALWAYS("warn", model_warn("%s", "abc"), 1);
    ALWAYS("warnx", model_warnx("%s", "abc"), 1);
    ALWAYS("syslog", model_syslog(1, "%s", "abc"), 1);
    ALWAYS("openlog", model_openlog("abc", 1, 1), 1);
    ALWAYS("closelog", model_closelog(), 1);
    ALWAYS("setlogmask", model_setlogmask(1), 1);
    VIOLATES("syslog", model_syslog(1, "%s", open));
    ALWAYS("error", model_error(0, 1, "%s", "abc"), 1);
    EXPECT(ATTEMPT(model_err(1, "%s", "abc")) == HALTED && ATTEMPT(model_errx(1, NULL)) == HALTED, "err ends the program");
    EXPECT(ATTEMPT(model_error(1, 1, "%s", "abc")) == HALTED, "error ends the program");
    COVERS("err"), COVERS("errx");
}

int model_scanf(const char *, ...), model___isoc99_scanf(const char *, ...), model___isoc23_scanf(const char *, ...);
int model_fscanf(struct stream *, const char *, ...), model___isoc99_fscanf(struct stream *, const char *, ...);
int model___isoc23_fscanf(struct stream *, const char *, ...);
int model_vscanf(const char *, va_list), model___isoc99_vscanf(const char *, va_list), model___isoc23_vscanf(const char *, va_list);
int model_vfscanf(struct stream *, const char *, va_list), model___isoc99_vfscanf(struct stream *, const char *, va_list);
int model___isoc23_vfscanf(struct stream *, const char *, va_list);
int model_wscanf(const wchar_t *, ...), model___isoc99_wscanf(const wchar_t *, ...), model___isoc23_wscanf(const wchar_t *, ...);
int model_fwscanf(struct stream *, const wchar_t *, ...), model___isoc99_fwscanf(struct stream *, const wchar_t *, ...);
int model___isoc23_fwscanf(struct stream *, const wchar_t *, ...);
int model_vwscanf(const wchar_t *, va_list), model___isoc99_vwscanf(const wchar_t *, va_list);
int model___isoc23_vwscanf(const wchar_t *, va_list);
int model_vfwscanf(struct stream *, const wchar_t *, va_list), model___isoc99_vfwscanf(struct stream *, const wchar_t *, va_list);
int model___isoc23_vfwscanf(struct stream *, const wchar_t *, va_list);

static char *word;
static int number;

/* What a scan may leave: nothing, a number, or a number and a word of one to five bytes. */
static int plausible(int result) {
    if (result < -1 || result > 2)
        return 0;
    if (result < 2)
        return untouched(word, 0, 6);
    return memchr(word, 0, 6) != NULL && memchr(word, ' ', 5) == NULL;
}

static void scan_list(struct stream *f, const char *format, ...) {
    va_list list;
    int result = 0;
#define SCANS_LIST(name, call) \
    ALWAYS(name, { model_clearerr(f); buffer(0, 6); va_start(list, format); result = call; va_end(list); }, plausible(result))
    SCANS_LIST("vscanf", model_vscanf(format, list));
    SCANS_LIST("__isoc99_vscanf", model___isoc99_vscanf(format, list));
    SCANS_LIST("__isoc23_vscanf", model___isoc23_vscanf(format, list));
    SCANS_LIST("vfscanf", model_vfscanf(f, format, list));
    SCANS_LIST("__isoc99_vfscanf", model___isoc99_vfscanf(f, format, list));
    SCANS_LIST("__isoc23_vfscanf", model___isoc23_vfscanf(f, format, list));
}

static void scan_wide_list(struct stream *f, const wchar_t *format, ...) {
    va_list list;
    int result = 0;
    SCANS_LIST("vwscanf", model_vwscanf(format, list));
    SCANS_LIST("__isoc99_vwscanf", model___isoc99_vwscanf(format, list));
    SCANS_LIST("__isoc23_vwscanf", model___isoc23_vwscanf(format, list));
    SCANS_LIST("vfwscanf", model_vfwscanf(f, format, list));
    SCANS_LIST("__isoc99_vfwscanf", model___isoc99_vfwscanf(f, format, list));
    SCANS_LIST("__isoc23_vfwscanf", model___isoc23_vfwscanf(f, format, list));
}

static void scans(void) {
    struct stream *f = model_stdin;
    int result = 0;
    word = buffer(0, 6);
#define SCANS(name, call) \
    ALWAYS(name, { model_clearerr(f); buffer(0, 6); result = call; }, plausible(result))
    SCANS("scanf", model_scanf("%d %5s", &number, word));
    SCANS("__isoc99_scanf", model___isoc99_scanf("%d %5s", &number, word));
    SCANS("__isoc23_scanf", model___isoc23_scanf("%d %5s", &number, word));
    SCANS("fscanf", model_fscanf(f, "%d %5s", &number, word));
    SCANS("__isoc99_fscanf", model___isoc99_fscanf(f, "%d %5s", &number, word));
    SCANS("__isoc23_fscanf", model___isoc23_fscanf(f, "%d %5s", &number, word));
    scan_list(f, "%d %5s", &number, word);
    COVERS("__selkie_scan_any"), COVERS("__selkie_scan_any_wide");
    VIOLATES("scanf", { model_clearerr(f); model_scanf("%5s", word + 1); });
    VIOLATES("scanf", { model_clearerr(f); model_scanf("%s", word); });
    VIOLATES("scanf", { model_clearerr(f); model_scanf("%7c", word); });
    VIOLATES("scanf", { model_clearerr(f); model_scanf("%lld", (long long *)guarded(0, 4)); });
    ALWAYS("scanf", { model_clearerr(f); result = model_scanf("%3d", &number); }, result != 1 || (number < 1000 && number > -100));
    ALWAYS("scanf", { model_clearerr(f); buffer(0, 6); result = model_scanf("%1[a-c]", word); },
           result != 1 || (word[0] >= 'a' && word[0] <= 'c' && word[1] == 0));
    double real;
    ALWAYS("scanf", { model_clearerr(f); result = model_scanf("%lf%n%*s", &real, &number); }, result <= 1);
#define SCANS_WIDE(name, call) \
    ALWAYS(name, { model_clearerr(f); buffer(0, 6); result = call; }, plausible(result))
    SCANS_WIDE("wscanf", model_wscanf(L"%d %5s", &number, word));
    SCANS_WIDE("__isoc99_wscanf", model___isoc99_wscanf(L"%d %5s", &number, word));
    SCANS_WIDE("__isoc23_wscanf", model___isoc23_wscanf(L"%d %5s", &number, word));
    SCANS_WIDE("fwscanf", model_fwscanf(f, L"%d %5s", &number, word));
    SCANS_WIDE("__isoc99_fwscanf", model___isoc99_fwscanf(f, L"%d %5s", &number, word));
    SCANS_WIDE("__isoc23_fwscanf", model___isoc23_fwscanf(f, L"%d %5s", &number, word));
    scan_wide_list(f, L"%d %5s", &number, word);
    wchar_t *wide = guarded(1, 3 * sizeof(wchar_t));
    ALWAYS("wscanf", { model_clearerr(f); result = model_wscanf(L"%2ls", wide); }, result != 1 || wide[1] == 0 || wide[2] == 0);
    VIOLATES("wscanf", { model_clearerr(f); model_wscanf(L"%3ls", wide); });
}

/* ---- Wide streams ----------------------------------------------------------------------- */

wint_t model_fgetwc(struct stream *), model_getwc(struct stream *), model_getwchar(void);
wint_t model_fputwc(wchar_t, struct stream *), model_putwc(wchar_t, struct stream *), model_putwchar(wchar_t);
int model_fputws(const wchar_t *, struct stream *), model_fwide(struct stream *, int);
wint_t model_ungetwc(wint_t, struct stream *);
wchar_t *model_fgetws(wchar_t *, int, struct stream *);

static void wide_streams(void) {
    struct stream *f = some_stream();
    wint_t c = 0;
    int result = 0;
    ALWAYS("fgetwc", { model_clearerr(f); c = model_fgetwc(f); }, 1);
    ALWAYS("getwc", { model_clearerr(f); c = model_getwc(f); }, 1);
    ALWAYS("getwchar", { model_clearerr(model_stdin); c = model_getwchar(); }, 1);
    ALWAYS("fputwc", c = model_fputwc('a', f), c == 'a' || c == WEOF);
    ALWAYS("putwc", c = model_putwc('a', f), c == 'a' || c == WEOF);
    ALWAYS("putwchar", c = model_putwchar('a'), c == 'a' || c == WEOF);
    ALWAYS("fputws", result = model_fputws(L"abc", f), result >= -1);
    ALWAYS("ungetwc", c = model_ungetwc('a', f), c == 'a' || c == WEOF);
    ALWAYS("fwide", result = model_fwide(f, 1), result != 0);
    wchar_t *line = guarded(0, 8 * sizeof(wchar_t)), *got = NULL;
    ALWAYS("fgetws", { model_clearerr(f); got = model_fgetws(line, 8, f); }, !got || (got == line && wmemchr(line, 0, 8)));
    VIOLATES("fgetws", { model_clearerr(f); model_fgetws(line, 9, f); });
}

int main(void) {
    streams();
    lines();
    blocks();
    messages();
    known_formats();
    scans();
    wide_streams();
}
