/* As string.c: files, sockets, time, threads, signals, formats of wide characters. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <search.h>
#include <selkie.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

/// holds: getcwd readlink gethostname stat fstat access unlink
{
    char a[16];
    if (getcwd(a, 16))
        sk_assert(strlen(a) < 16);
    ssize_t n = readlink("path", a, 16);
    sk_assert(n >= -1 && n <= 16);
    gethostname(a, 16);
    struct stat s;
    if (stat("path", &s) == 0 && fstat(0, &s) == 0)
        access("path", 0);
    sk_assert(unlink("path") <= 0);
}
/// violates deref: getcwd
{
    char a[16];
    getcwd(a, 17);
}
/// violates deref: readlink
{
    char a[16];
    readlink("path", a, 17);
}
/// violates deref: stat
{
    int s;
    stat("path", (struct stat *)&s);
}
/// violates deref: unlink
{
    char open[2] = {'a', 'b'};
    unlink(open);
}
/// holds: pipe dup2 lseek isatty mkstemp tmpnam realpath remove rename
{
    int ends[2];
    if (pipe(ends) == 0)
        sk_assert(ends[0] >= 0);
    sk_assert(dup2(1, 5) == 5 || errno != 0);
    char name[] = "aXXXXXX";
    mkstemp(name);
    sk_assert(name[0] == 'a' && strlen(name) == 7);
    char *path = realpath("path", NULL);
    free(path);
    remove("path");
    rename("path", "other");
}
/// violates deref: pipe
{
    int end;
    pipe(&end);
}
/// violates deref: mkstemp
{
    mkstemp((char *)"aXXXXXX");
}
/// violates deref: realpath
{
    char a[100];
    realpath("path", a);
}
/// violates leak: realpath
{
    realpath("path", NULL);
}
/// holds: socket recv send htons inet_addr recvfrom
{
    char a[8];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        exit(1);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = (htons)(80)};
    address.sin_addr.s_addr = inet_addr("127.0.0.1");
    sk_assert((ntohs)(address.sin_port) == 80 && (htonl)(1) == 0x1000000);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
        ssize_t n = recv(fd, a, 8, 0);
        sk_assert(n <= 8);
        send(fd, a, 8, 0);
    }
}
/// violates deref: recv
{
    char a[8];
    recv(0, a, 9, 0);
}
/// violates deref: send
{
    char a[8] = "";
    send(0, a, 9, 0);
}
/// violates deref: bind
{
    int address = 0;
    bind(0, (struct sockaddr *)&address, sizeof(struct sockaddr_in));
}
/// violates assert: recv
{
    char a[2] = "x";
    sk_assert(recv(0, a, 1, 0) != 1 || a[0] == 'x');
}
/// holds: gettimeofday clock_gettime sleep nanosleep difftime
{
    struct timeval t;
    struct timespec u = {0, 0};
    gettimeofday(&t, NULL);
    sk_assert(t.tv_usec >= 0 && t.tv_usec < 1000000);
    clock_gettime(CLOCK_REALTIME, &u);
    sk_assert(sleep(3) <= 3 && difftime(5, 3) == 2);
    nanosleep(&u, NULL);
}
/// violates deref: gettimeofday
{
    char small[4];
    gettimeofday((struct timeval *)small, NULL);
}
/// violates deref: nanosleep
{
    nanosleep(NULL, NULL);
}
/// violates deref: strftime
{
    char text[4];
    struct tm tm = {0};
    strftime(text, 5, "%Y", &tm);
}
/// violates deref: ctime
{
    ctime(NULL);
}
/// holds: setjmp signal
{
    jmp_buf buffer;
    sk_assert(setjmp(buffer) == 0);
    signal(SIGINT, SIG_IGN);
}
/// violates unsupported: longjmp
{
    jmp_buf buffer;
    if (setjmp(buffer) == 0)
        longjmp(buffer, 1);
}
/// violates unsupported: fork
{
    fork();
}
/// holds: sem_init sem_wait sem_post
{
    sem_t s;
    sem_init(&s, 0, 0);
    sk_assert(sem_trywait(&s) == -1);
    sem_post(&s);
    sem_wait(&s);
    int value;
    sem_getvalue(&s, &value);
    sk_assert(value == 0);
}
/// violates deref: sem_post
{
    sem_post(NULL);
}
/// holds: setlocale iswalpha towupper syslog warn
{
    setlocale(LC_ALL, "C");
    sk_assert(iswalpha(L'a') && !iswdigit(L'a') && towupper(L'a') == L'A');
    syslog(1, "%d", 1);
    warn("%s", "abc");
}
/// violates deref: syslog
{
    char open[2] = {'a', 'b'};
    syslog(1, "%s", open);
}
/// holds: err
{
    errx(1, "%s", "abc");
    sk_assert(0);
}
/// violates deref: err
{
    char open[2] = {'a', 'b'};
    err(1, "%s", open);
}
/// holds: lfind lsearch
{
    int a[3] = {1, 2, 0}, key = 7;
    size_t n = 2;
    sk_assert(!lfind(&key, a, &n, sizeof *a, compare) && lsearch(&key, a, &n, sizeof *a, compare) == &a[2] && n == 3);
}
/// violates deref: lsearch
{
    int a[2] = {1, 2}, key = 7;
    size_t n = 2;
    lsearch(&key, a, &n, sizeof *a, compare);
}
/// holds: getopt
{
    char *arguments[] = {(char *)"program", (char *)"-b", (char *)"x", NULL};
    int c = getopt(3, arguments, "ab:");
    sk_assert(c == -1 || c == 'a' || c == 'b' || c == '?');
    if (c == 'b')
        sk_assert(strlen(optarg) >= 1);
}
/// violates assert: getopt
{
    char *arguments[] = {(char *)"program", (char *)"-b", (char *)"x", NULL};
    sk_assert(getopt(3, arguments, "ab:") != 'a');
}
/// holds: fgetws mbstowcs wcstombs wcsdup
{
    wchar_t line[4], wide[4];
    if (fgetws(line, 4, stdin))
        sk_assert(wcslen(line) < 4);
    sk_assert(mbstowcs(wide, "abc", 4) == 3 && wide[2] == L'c');
    char text[4];
    sk_assert(wcstombs(text, L"abc", 4) == 3 && !strcmp(text, "abc"));
    wchar_t *copy = wcsdup(L"abc");
    sk_assert(!wcscmp(copy, L"abc"));
    free(copy);
}
/// violates deref: fgetws
{
    wchar_t line[4];
    fgetws(line, 5, stdin);
}
/// violates deref: mbstowcs
{
    wchar_t wide[3];
    mbstowcs(wide, "abc", 4);
}
