/* As string.c: streams, formats, files, and what the system answers. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <selkie.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/// holds: printf puts putchar fprintf fputs fflush perror
{
    printf("%d %s %5.2f %c %%\n", 1, "abc", 2.5, 'x');
    puts("abc");
    putchar('a');
    fprintf(stderr, "%lld %zu %p\n", 1LL, sizeof(int), NULL);
    fputs("abc", stdout);
    fflush(stdout);
    perror("abc");
    char open[3] = {'a', 'b', 'c'};
    printf("%.3s %.*s\n", open, 2, open);
}
/// violates deref: printf
{
    char open[3] = {'a', 'b', 'c'};
    printf("%s", open);
}
/// violates deref: printf
{
    char *none = NULL;
    printf("%d %s", 1, none);
}
/// violates deref: printf
{
    printf("%s%s", "one");
}
/// violates deref: puts
{
    char open[3] = {'a', 'b', 'c'};
    puts(open);
}
/// violates deref: fprintf
{
    FILE *f = NULL;
    fprintf(f, "abc");
}
/// holds: sprintf snprintf
{
    char to[12];
    sk_assert(sprintf(to, "%d,%s,%x", -7, "ab", 31) == 8 && !strcmp(to, "-7,ab,1f"));
    sk_assert(snprintf(to, 4, "%s", "abcdef") == 6 && !strcmp(to, "abc"));
    sk_assert(sprintf(to, "%05d|%-3c|", 42, 'x') == 10 && !strcmp(to, "00042|x  |"));
    int x = sk_nondet_int();
    sk_assert(snprintf(to, 12, "%d", x) < 12);
}
/// violates deref: sprintf
{
    char to[11];
    sprintf(to, "%d", -2147483647);
}
/// violates deref: snprintf
{
    char to[4];
    snprintf(to, 5, "%s", "abcdef");
}
/// violates deref: sprintf
{
    char to[8];
    sprintf(to, "%s", "12345678");
}
/// holds: asprintf
{
    char *p;
    sk_assert(asprintf(&p, "%d-%d", 1, 2) == 3 && !strcmp(p, "1-2"));
    free(p);
}
/// violates leak: asprintf
{
    char *p;
    asprintf(&p, "%d", 1);
    p = NULL;
}
/// holds: sscanf
{
    int a = 0, b = 0;
    char w[4], c;
    sk_assert(sscanf("12 abc,0x1f", "%d %3[a-z]%c%x", &a, w, &c, &b) == 4 && a == 12 && !strcmp(w, "abc") && c == ',' && b == 31);
    sk_assert(sscanf("x", "%d", &a) == 0 && a == 12 && sscanf("", "%d", &a) == EOF);
}
/// violates deref: sscanf
{
    char w[3];
    sscanf("abc", "%s", w);
}
/// violates deref: sscanf
{
    short s;
    sscanf("1", "%d", (int *)&s);
}
/// holds: scanf fscanf
{
    int x = 5;
    char w[6];
    int n = scanf("%d %5s", &x, w);
    sk_assert(n >= -1 && n <= 2);
    if (n == 2)
        sk_assert(strlen(w) <= 5);
    if (n < 1)
        sk_assert(x == 5);
}
/// violates deref: scanf
{
    char w[5];
    scanf("%5s", w);
}
/// violates deref: scanf
{
    char w[100];
    scanf("%s", w);
}
/// violates assert: scanf
{
    int x = 5;
    sk_assert(scanf("%d", &x) != 1 || x == 5);
}
/// holds: fopen fclose fgetc fgets fread feof fwrite ungetc getchar
{
    char line[8];
    FILE *f = fopen("file", "r");
    if (!f)
        exit(1);
    int c = fgetc(f);
    sk_assert(c >= -1 && c <= 255);
    if (fgets(line, 8, f)) {
        sk_assert(strlen(line) <= 7);
        char *newline = memchr(line, '\n', strlen(line));
        sk_assert(!newline || newline[1] == 0);
    }
    size_t n = fread(line, 2, 4, f);
    sk_assert(n <= 4 && (n == 4 || feof(f) || ferror(f)));
    fwrite(line, 1, 8, stdout);
    fclose(f);
    sk_assert(getchar() <= 255);
}
/// violates deref: fopen
{
    FILE *f = fopen("file", "r");
    fgetc(f);
}
/// violates deref: fclose
{
    FILE *f = fopen("file", "r");
    if (f) {
        fclose(f);
        fclose(f);
    }
}
/// violates deref: fgets
{
    char line[8];
    fgets(line, 9, stdin);
}
/// violates deref: gets
{
    extern char *gets(char *);
    char line[8];
    gets(line);
}
/// violates deref: fread
{
    char a[7];
    fread(a, 2, 4, stdin);
}
/// violates deref: fwrite
{
    char a[7] = {0};
    fwrite(a, 2, 4, stdout);
}
/// holds: getline
{
    char *line = NULL;
    size_t n = 0;
    ssize_t length = getline(&line, &n, stdin);
    if (length >= 0)
        sk_assert((size_t)length < n && line[length] == 0);
    free(line);
}
/// violates free: getline
{
    char a[4], *line = a;
    size_t n = 4;
    getline(&line, &n, stdin);
}
/// violates leak: getline
{
    char *line = NULL;
    size_t n = 0;
    getline(&line, &n, stdin);
    line = NULL;
}
/// holds: read write open close
{
    char a[8];
    int fd = open("file", O_RDONLY);
    if (fd >= 0) {
        ssize_t n = read(fd, a, 8);
        sk_assert(n >= -1 && n <= 8);
        write(1, "abc", 3);
        close(fd);
    }
}
/// violates deref: read
{
    char a[8];
    read(0, a, 9);
}
/// violates deref: write
{
    char a[2] = "a";
    write(1, a, 3);
}
/// violates assert: read
{
    char c = 'a';
    if (read(0, &c, 1) == 1)
        sk_assert(c == 'a');
}
/// holds: time localtime strftime clock
{
    time_t now = time(NULL);
    struct tm *tm = localtime(&now);
    char text[16];
    if (tm) {
        sk_assert(tm->tm_mon >= 0 && tm->tm_mon <= 11);
        sk_assert(strftime(text, 16, "%Y", tm) < 16);
    }
}
/// violates deref: localtime
{
    time_t now = 0;
    struct tm *tm = localtime(&now);
    sk_assert(tm->tm_mon >= 0);
}
/// holds: pthread_mutex_lock pthread_mutex_unlock pthread_once pthread_self
{
    pthread_mutex_t m;
    pthread_mutex_init(&m, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    sk_assert(pthread_equal(pthread_self(), pthread_self()));
}
/// violates deref: pthread_mutex_lock
{
    pthread_mutex_lock(NULL);
}
/// violates unsupported: pthread_join
{
    pthread_join(pthread_self(), NULL);
}
/// violates unsupported: waitpid
{
    extern int waitpid(int, int *, int);
    waitpid(1, NULL, 0);
}
/// holds: swprintf wprintf
{
    wchar_t to[8];
    sk_assert(swprintf(to, 8, L"%d-%ls", 12, L"ab") == 5 && !wcscmp(to, L"12-ab") && swprintf(to, 3, L"abc") == -1);
    wprintf(L"%ls", L"abc");
}
/// violates deref: swprintf
{
    wchar_t to[3];
    swprintf(to, 8, L"%d", 1234);
}
