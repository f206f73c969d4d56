/* posix_test.c: folders, descriptors that are ready, addresses, limits, sets of signals, and what else POSIX adds. */
#define _GNU_SOURCE
#include "any.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

#define IS_STATUS(result) ((result) == 0 || (result) == -1)

/* ---- Files ------------------------------------------------------------------------------ */

int model_mkfifo(const char *, unsigned), model_fchmod(int, unsigned), model_truncate(const char *, long);
int model_link(const char *, const char *), model_symlink(const char *, const char *);
int model_chown(const char *, unsigned, unsigned), model_lchown(const char *, unsigned, unsigned), model_fchown(int, unsigned, unsigned);
char *model___getcwd_chk(char *, size_t, size_t), *model_getcwd(char *, size_t);
ssize_t model___readlink_chk(const char *, char *, size_t, size_t);
int model_stat64(const char *, void *), model_lstat64(const char *, void *), model_fstat64(int, void *);
int model___xstat(int, const char *, void *), model___lxstat(int, const char *, void *), model___fxstat(int, int, void *);
ssize_t model_pread64(int, void *, size_t, long long), model___pread_chk(int, void *, size_t, long, size_t);
ssize_t model_pwrite64(int, const void *, size_t, long long);
ssize_t model_readv(int, const struct iovec *, int), model_writev(int, const struct iovec *, int);
int model_creat64(const char *, unsigned), model_fdatasync(int), model_fchdir(int), model_ftruncate64(int, long long);
void model_sync(void);
long long model_lseek64(int, long long, int);
char *model_tempnam(const char *, const char *);

static void files(void) {
    int result = 0;
    ssize_t count = 0;
    char *p = NULL;
    ALWAYS("mkfifo", result = model_mkfifo("path", 0666), IS_STATUS(result));
    ALWAYS("fchmod", result = model_fchmod(1, 0666), IS_STATUS(result));
    ALWAYS("truncate", result = model_truncate("path", 0), IS_STATUS(result));
    ALWAYS("link", result = model_link("path", "other"), IS_STATUS(result));
    ALWAYS("symlink", result = model_symlink("path", "other"), IS_STATUS(result));
    ALWAYS("chown", result = model_chown("path", 1, 1), IS_STATUS(result));
    ALWAYS("lchown", result = model_lchown("path", 1, 1), IS_STATUS(result));
    ALWAYS("fchown", result = model_fchown(1, 1, 1), IS_STATUS(result));
    VIOLATES("link", model_link("path", memset(guarded(0, 4), 'a', 4)));
    ALWAYS("__getcwd_chk", p = model___getcwd_chk(buffer(0, 16), 10, 16), !p || (strlen(p) < 10 && untouched(p, 10, 16)));
    VIOLATES("__getcwd_chk", model___getcwd_chk(buffer(0, 16), 10, 9));
    int objects = native_live();
    ALWAYS("getcwd", p = model_getcwd(NULL, random_below(2) ? 0 : 10), (objects += p != NULL, native_live() == objects));
    ALWAYS("__readlink_chk", { p = buffer(0, 16); count = model___readlink_chk("path", p, 10, 16); },
           count <= 10 && untouched(p, count > 0 ? count : 0, 16));
    VIOLATES("__readlink_chk", model___readlink_chk("path", buffer(0, 16), 10, 9));
    ALWAYS("stat64", result = model_stat64("path", guarded(0, sizeof(struct stat64))), IS_STATUS(result));
    ALWAYS("lstat64", result = model_lstat64("path", guarded(0, sizeof(struct stat64))), IS_STATUS(result));
    ALWAYS("fstat64", result = model_fstat64(1, guarded(0, sizeof(struct stat64))), IS_STATUS(result));
    ALWAYS("__xstat", result = model___xstat(1, "path", guarded(0, sizeof(struct stat))), IS_STATUS(result));
    ALWAYS("__lxstat", result = model___lxstat(1, "path", guarded(0, sizeof(struct stat))), IS_STATUS(result));
    ALWAYS("__fxstat", result = model___fxstat(1, 1, guarded(0, sizeof(struct stat))), IS_STATUS(result));
    VIOLATES("stat64", model_stat64("path", guarded(0, sizeof(struct stat64) - 1)));
    READS_BYTES("pread64", model_pread64(0, p, 10, 0));
    READS_BYTES("__pread_chk", model___pread_chk(0, p, 10, 0, 16));
    ALWAYS("pwrite64", count = model_pwrite64(1, "abcdefghij", 10, 0), count >= -1 && count <= 10);
    ALWAYS("creat64", result = model_creat64("path", 0666), result >= -1);
    ALWAYS("fdatasync", result = model_fdatasync(1), IS_STATUS(result));
    ALWAYS("fchdir", result = model_fchdir(1), IS_STATUS(result));
    ALWAYS("ftruncate64", result = model_ftruncate64(1, 0), IS_STATUS(result));
    ALWAYS("sync", model_sync(), 1);
    long long offset = 0;
    ALWAYS("lseek64", offset = model_lseek64(1, 0, 0), offset >= -1);
    ALWAYS("tempnam", p = model_tempnam(NULL, "a"), !p || strlen(p) < 4096);
    struct iovec parts[2] = {{buffer(0, 8), 4}, {buffer(1, 16), 8}};
    ALWAYS("readv", { memset(parts[0].iov_base, '#', 8); memset(parts[1].iov_base, '#', 16); count = model_readv(1, parts, 2); },
           count <= 12 && untouched(parts[0].iov_base, count >= 4 ? 4 : count > 0 ? count : 0, 8) &&
               untouched(parts[1].iov_base, count > 4 ? count - 4 : 0, 16));
    ALWAYS("writev", count = model_writev(1, parts, 2), count >= -1 && count <= 12);
    parts[0].iov_len = 9;
    VIOLATES("readv", model_readv(1, parts, 2));
    VIOLATES("writev", model_writev(1, parts, 2));
}

struct folder;
struct folder *model_opendir(const char *), *model_fdopendir(int);
struct dirent *model_readdir(struct folder *);
struct dirent64 *model_readdir64(struct folder *);
int model_closedir(struct folder *), model_dirfd(struct folder *);
void model_rewinddir(struct folder *);

static void folders(void) {
    struct folder *folder = NULL;
    struct dirent *entry = NULL;
    struct dirent64 *entry64 = NULL;
    int result = 0;
    ALWAYS("opendir", { folder = model_opendir("path"); if (folder) model_closedir(folder); }, 1);
    ALWAYS("fdopendir", { folder = model_fdopendir(1); if (folder) model_closedir(folder); }, 1);
    do
        ATTEMPT(folder = model_opendir("path"));
    while (!folder);
    ALWAYS("readdir", entry = model_readdir(folder), !entry || (entry->d_name[0] && strlen(entry->d_name) <= 255));
    ALWAYS("readdir64", entry64 = model_readdir64(folder), !entry64 || (entry64->d_name[0] && strlen(entry64->d_name) <= 255));
    ALWAYS("dirfd", result = model_dirfd(folder), result >= 0);
    ALWAYS("rewinddir", model_rewinddir(folder), 1);
    EXPECT(ATTEMPT(result = model_closedir(folder)) == RETURNED && IS_STATUS(result), "closedir");
    COVERS("closedir");
    VIOLATES("readdir", model_readdir(folder));
    VIOLATES("closedir", model_closedir(folder));
    VIOLATES("readdir", model_readdir(NULL));
}

/* ---- Descriptors that are ready --------------------------------------------------------- */

int model_select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
int model_pselect(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
int model_poll(struct pollfd *, unsigned long, int);
int model_fcntl(int, int, ...), model_fcntl64(int, int, ...);

/* One descriptor in each set. */
static void new_sets(fd_set *in, fd_set *out) {
    FD_ZERO(in);
    FD_ZERO(out);
    FD_SET(3, in);
    FD_SET(4, out);
}

static void waits(void) {
    fd_set *in = guarded(0, sizeof *in), *out = guarded(1, sizeof *out);
    struct timeval time = {5, 0};
    struct timespec time_spec = {5, 0};
    int result = 0;
#define ARE_KEPT \
    (result == -1 || (!FD_ISSET(4, in) && !FD_ISSET(3, out) && (result > 0) == (FD_ISSET(3, in) || FD_ISSET(4, out))))
    ALWAYS("select", { new_sets(in, out); time.tv_sec = 5; result = model_select(5, in, out, NULL, &time); },
           ARE_KEPT && time.tv_sec >= 0 && time.tv_sec <= 5 && time.tv_usec < 1000000);
    ALWAYS("pselect", { new_sets(in, out); result = model_pselect(5, in, out, NULL, &time_spec, NULL); }, ARE_KEPT);
    VIOLATES("select", model_select(5, (fd_set *)((char *)in + 1), NULL, NULL, NULL));
    struct pollfd all[2] = {{1, POLLIN, 0}, {-1, POLLIN, 0}};
    ALWAYS("poll", result = model_poll(all, 2, 0), result >= -1 && result <= 1 && !(all[0].revents & POLLOUT) && all[1].revents == 0);
    VIOLATES("poll", model_poll(guarded(0, sizeof *all), 2, 0));
#define CONTROLS(name) \
    ALWAYS(#name, result = model_##name(1, 0, 1), result >= -1); \
    ALWAYS(#name, result = model_##name(1, 3), result >= -1); \
    ALWAYS(#name, result = model_##name(1, 4, 1), IS_STATUS(result)); \
    ALWAYS(#name, result = model_##name(1, 5, guarded(0, sizeof(long) == 8 ? 32 : 16)), IS_STATUS(result)); \
    VIOLATES(#name, model_##name(1, 5, guarded(0, 15))); \
    UNSUPPORTED(#name, model_##name(1, 12345))
    CONTROLS(fcntl);
    CONTROLS(fcntl64);
}

/* ---- Addresses -------------------------------------------------------------------------- */

uint32_t model_inet_addr(const char *);
int model_inet_aton(const char *, struct in_addr *);
char *model_inet_ntoa(struct in_addr);
int model_inet_pton(int, const char *, void *);
const char *model_inet_ntop(int, const void *, char *, unsigned);

static void addresses(void) {
    static const char *const parts[] = {"0", "1", "10", "255", "256", "08", "017", "0x1f", "0x", "00", "65536", "4294967295",
                                        "4294967296", ".", ".", ".", ".", " ", "a", "-1"};
    for (int run = 0; run < 20000; run++) {
        char text[64] = "";
        int n = 1 + (int)random_below(7);
        for (int i = 0; i < n; i++) {
            if (i % 2 == 1 && random_below(8))
                strcat(text, ".");
            else
                strcat(text, parts[random_below(sizeof parts / sizeof *parts)]);
        }
        size_t size = strlen(text) + 1;
        char *source = memcpy(guarded(0, size), text, size);
        struct in_addr real = {7}, model = {7};
        int want = inet_aton(source, &real), got = -2;
        EXPECT(ATTEMPT(got = model_inet_aton(source, &model)) == RETURNED, "inet_aton(\"%s\")", text);
        EXPECT(want == got && real.s_addr == model.s_addr, "inet_aton(\"%s\") = %d, not %d", text, got, want);
        uint32_t address = 0;
        EXPECT(ATTEMPT(address = model_inet_addr(source)) == RETURNED && address == inet_addr(source), "inet_addr(\"%s\")", text);
        want = inet_pton(AF_INET, source, &real);
        EXPECT(ATTEMPT(got = model_inet_pton(AF_INET, source, &model)) == RETURNED, "inet_pton(\"%s\")", text);
        EXPECT(want == got && real.s_addr == model.s_addr, "inet_pton(\"%s\") = %d, not %d", text, got, want);
        struct in_addr any = {(uint32_t)random_bits()};
        EXPECT(!strcmp(model_inet_ntoa(any), inet_ntoa(any)), "inet_ntoa(%x)", any.s_addr);
        unsigned room = random_below(20);
        char *to = buffer(1, room), expected[20];
        const char *made = NULL, *right = inet_ntop(AF_INET, &any, expected, room);
        EXPECT(ATTEMPT(made = model_inet_ntop(AF_INET, &any, to, room)) == RETURNED, "inet_ntop(%x)", any.s_addr);
        EXPECT(right ? made == to && !strcmp(made, right) : !made, "inet_ntop(%x)", any.s_addr);
    }
    COVERS("inet_aton"), COVERS("inet_addr"), COVERS("inet_ntoa"), COVERS("inet_pton"), COVERS("inet_ntop");
    int result = 0;
    const char *made = NULL;
    ALWAYS("inet_pton", result = model_inet_pton(AF_INET6, "::1", guarded(0, 16)), result == 0 || result == 1);
    VIOLATES("inet_pton", model_inet_pton(AF_INET6, "::1", guarded(0, 15)));
    ALWAYS("inet_ntop", made = model_inet_ntop(AF_INET6, guarded(0, 16), buffer(1, 46), 46), strlen(made) <= 45);
    EXPECT(model_inet_pton(77, "1", NULL) == -1 && !model_inet_ntop(77, NULL, NULL, 0), "no such family");
}

int model_getsockname(int, void *, unsigned *), model_getpeername(int, void *, unsigned *);
int model_socketpair(int, int, int, int *);
ssize_t model___recvfrom_chk(int, void *, size_t, size_t, int, void *, unsigned *);

static void sockets(void) {
    int result = 0, ends[2] = {0, 0};
    unsigned length = 0;
    ssize_t count = 0;
    char *p = NULL, *address = guarded(1, 16);
    ALWAYS("getsockname", { length = 16; result = model_getsockname(1, address, &length); }, IS_STATUS(result));
    ALWAYS("getpeername", { length = 16; result = model_getpeername(1, address, &length); }, IS_STATUS(result));
    VIOLATES("getsockname", { length = 17; model_getsockname(1, address, &length); });
    VIOLATES("getpeername", model_getpeername(1, address, NULL));
    ALWAYS("socketpair", result = model_socketpair(1, 1, 0, ends), IS_STATUS(result) && ends[0] >= 0 && ends[1] >= 0);
    READS_BYTES("__recvfrom_chk", (length = 16, model___recvfrom_chk(1, p, 10, 16, 0, address, &length)));
    VIOLATES("__recvfrom_chk", model___recvfrom_chk(1, buffer(0, 16), 10, 9, 0, NULL, NULL));
}

/* ---- Limits, users, clocks -------------------------------------------------------------- */

int model_uname(struct utsname *), model_getrlimit(int, struct rlimit *), model_setrlimit(int, const struct rlimit *);
int model_getrusage(int, struct rusage *);
clock_t model_times(struct tms *);
int model_getpgrp(void), model_getpgid(int), model_getsid(int), model_setsid(void), model_setpgid(int, int);
int model_seteuid(unsigned), model_setegid(unsigned);
int model_settimeofday(const void *, const void *), model_clock_settime(int, const struct timespec *);
int model_timespec_get(struct timespec *, int);
int model_clock_nanosleep(int, int, const struct timespec *, struct timespec *);
time_t model_timelocal(struct tm *);
char *model_strptime(const char *, const char *, struct tm *);

static void limits(void) {
    int result = 0;
    struct utsname *names = guarded(0, sizeof *names);
    ALWAYS("uname", result = model_uname(names), result == -1 || (strlen(names->sysname) < 65 && strlen(names->machine) < 65));
    VIOLATES("uname", model_uname((struct utsname *)((char *)names + 1)));
    ALWAYS("getrlimit", result = model_getrlimit(1, guarded(0, sizeof(struct rlimit))), IS_STATUS(result));
    ALWAYS("setrlimit", result = model_setrlimit(1, guarded(0, sizeof(struct rlimit))), IS_STATUS(result));
    VIOLATES("getrlimit", model_getrlimit(1, guarded(0, sizeof(long))));
    struct rusage *usage = guarded(0, sizeof *usage);
    memset(usage, 0, sizeof *usage);
    ALWAYS("getrusage", result = model_getrusage(1, usage),
           result == -1 || (usage->ru_stime.tv_usec >= 0 && usage->ru_stime.tv_usec < 1000000));
    ALWAYS("times", model_times(random_below(2) ? NULL : guarded(0, sizeof(struct tms))), 1);
    ALWAYS("getpgrp", result = model_getpgrp(), result > 0);
    ALWAYS("getpgid", result = model_getpgid(0), result > 0 || result == -1);
    ALWAYS("getsid", result = model_getsid(0), result > 0 || result == -1);
    ALWAYS("setsid", result = model_setsid(), result > 0 || result == -1);
    ALWAYS("setpgid", result = model_setpgid(0, 0), IS_STATUS(result));
    ALWAYS("seteuid", result = model_seteuid(1), IS_STATUS(result));
    ALWAYS("setegid", result = model_setegid(1), IS_STATUS(result));
    struct timespec now = {0, 0};
    long pair[2] = {0, 0};
    ALWAYS("settimeofday", result = model_settimeofday(pair, NULL), IS_STATUS(result));
    ALWAYS("clock_settime", result = model_clock_settime(0, &now), IS_STATUS(result));
    ALWAYS("timespec_get", result = model_timespec_get(&now, TIME_UTC), (result == 0 || result == TIME_UTC) && now.tv_nsec < 1000000000);
    ALWAYS("clock_nanosleep", result = model_clock_nanosleep(0, 0, &now, &now), result >= 0 && now.tv_nsec >= 0);
    struct tm fields = {0};
    native_choice = 1;
    ALWAYS("timelocal", model_timelocal(&fields), 1);
    native_choice = -1;
    char *end = NULL;
    ALWAYS("strptime", end = model_strptime("12:30", "%H:%M", &fields), !end || (fields.tm_hour >= 0 && fields.tm_hour <= 23));
    VIOLATES("strptime", model_strptime("12", "%H", guarded(0, 8)));
}

/* ---- Signals and threads ---------------------------------------------------------------- */

int model_sigemptyset(sigset_t *), model_sigaddset(sigset_t *, int), model_sigdelset(sigset_t *, int);
int model_sigismember(const sigset_t *, int), model_pthread_sigmask(int, const sigset_t *, sigset_t *);
sighandler_t model_signal(int, sighandler_t);
int model_kill(int, int);
int model_pthread_mutex_timedlock(void *, const void *), model_pthread_cond_timedwait(void *, void *, const void *);
int model_pthread_condattr_init(void *), model_pthread_condattr_destroy(void *), model_pthread_attr_setstacksize(void *, size_t);
int model_pthread_setcancelstate(int, int *), model_pthread_setcanceltype(int, int *);
void model_pthread_testcancel(void), model_call_once(int *, void (*)(void)), model_mtx_destroy(void *);
int model_mtx_init(void *, int), model_mtx_lock(void *), model_mtx_unlock(void *), model_mtx_trylock(void *);
int model_sem_timedwait(unsigned *, const void *);

static int once_runs;
static void once(void) { once_runs++; }

static void threads(void) {
    sigset_t real, model;
    sigemptyset(&real);
    model_sigemptyset(&model);
    for (int run = 0; run < RUNS; run++) {
        int number = 1 + (int)random_below(31), other = 1 + (int)random_below(31);
        EXPECT(sigaddset(&real, number) == model_sigaddset(&model, number), "sigaddset of %d", number);
        EXPECT(sigdelset(&real, other) == model_sigdelset(&model, other), "sigdelset of %d", other);
        EXPECT(sigismember(&real, number) == model_sigismember(&model, number), "sigismember of %d", number);
        EXPECT(!memcmp(&real, &model, sizeof(long)), "sets of signals");
    }
    EXPECT(model_sigaddset(&model, 0) == -1 && model_sigdelset(&model, 65) == -1 && model_sigismember(&model, -1) == -1, "no signals");
    COVERS("sigaddset"), COVERS("sigdelset"), COVERS("sigismember");
    int result = 0, old = -1, control = 0;
    ALWAYS("pthread_sigmask", result = model_pthread_sigmask(0, &model, NULL), result == 0);
    int returned = 0, halted = 0;
    for (int run = 0; run < RUNS; run++) {
        enum ending ending = ATTEMPT({ model_signal(SIGTERM, SIG_DFL); model_pthread_sigmask(2, memset(&model, 0, sizeof model), NULL); result = model_kill(0, SIGTERM); });
        EXPECT(ending == HALTED || (ending == RETURNED && IS_STATUS(result)), "kill");
        returned += ending == RETURNED;
        halted += ending == HALTED;
    }
    EXPECT(returned > 0 && halted > 0, "kill");
    ALWAYS("kill", result = model_kill(1, 0), IS_STATUS(result));
    char object[64] = {0};
    long end[2] = {0, 0};
    ALWAYS("pthread_mutex_timedlock", result = model_pthread_mutex_timedlock(object, end), result == 0 || result == ETIMEDOUT);
    ALWAYS("pthread_cond_timedwait", result = model_pthread_cond_timedwait(object, object, end), result == 0 || result == ETIMEDOUT);
    VIOLATES("pthread_cond_timedwait", model_pthread_cond_timedwait(object, NULL, end));
    ALWAYS("pthread_condattr_init", result = model_pthread_condattr_init(object), result == 0);
    ALWAYS("pthread_condattr_destroy", result = model_pthread_condattr_destroy(object), result == 0);
    ALWAYS("pthread_attr_setstacksize", result = model_pthread_attr_setstacksize(object, 1 << 20), result == 0);
    ALWAYS("pthread_setcancelstate", result = model_pthread_setcancelstate(1, &old), result == 0 && (old == 0 || old == 1));
    ALWAYS("pthread_setcanceltype", result = model_pthread_setcanceltype(0, &old), result == 0 && old == 0);
    ALWAYS("pthread_testcancel", model_pthread_testcancel(), 1);
    ALWAYS("call_once", model_call_once(&control, once), once_runs == 1);
    ALWAYS("mtx_init", result = model_mtx_init(object, 0), result == 0);
    ALWAYS("mtx_lock", result = model_mtx_lock(object), result == 0);
    ALWAYS("mtx_unlock", result = model_mtx_unlock(object), result == 0);
    ALWAYS("mtx_trylock", result = model_mtx_trylock(object), result == 0 || result == 1);
    ALWAYS("mtx_destroy", model_mtx_destroy(object), 1);
    unsigned semaphore = 1;
    EXPECT(model_sem_timedwait(&semaphore, end) == 0 && semaphore == 0 && model_sem_timedwait(&semaphore, end) == -1, "sem_timedwait");
    COVERS("sem_timedwait");
}

int main(void) {
    files();
    folders();
    waits();
    addresses();
    sockets();
    limits();
    threads();
}
