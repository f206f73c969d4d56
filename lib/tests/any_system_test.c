/* any_system_test.c: files, sockets, time, threads: what the system answers. */
#define _GNU_SOURCE
#include "any.h"

#include <stdint.h>
#include <time.h>

/* ---- Files and descriptors -------------------------------------------------------------- */

#define PATH_FUNCTIONS(use) use(unlink) use(rmdir) use(chdir)
#define DECLARE_PATH(name) int model_##name(const char *);
PATH_FUNCTIONS(DECLARE_PATH)
int model_mkdir(const char *, unsigned), model_chmod(const char *, unsigned), model_access(const char *, int);
unsigned model_umask(unsigned);
char *model_getcwd(char *, size_t), *model_realpath(const char *, char *);
ssize_t model_readlink(const char *, char *, size_t);
int model_gethostname(char *, size_t);
int model_stat(const char *, void *), model_lstat(const char *, void *), model_fstat(int, void *);
ssize_t model_read(int, void *, size_t), model___read_chk(int, void *, size_t, size_t), model_pread(int, void *, size_t, long);
ssize_t model_write(int, const void *, size_t), model_pwrite(int, const void *, size_t, long);
int model_open(const char *, int, ...), model_open64(const char *, int, ...), model_creat(const char *, unsigned);
int model_dup(int), model_dup2(int, int), model_close(int), model_fsync(int), model_ftruncate(int, long), model_pipe(int *);
long model_lseek(int, long, int);
int model_isatty(int), model_system(const char *), model_mkstemp(char *);
char *model_mktemp(char *), *model_mkdtemp(char *);

static void files(void) {
    int result = 0, ends[2];
    ssize_t count = 0;
    char *p = NULL;
#define ON_PATH(name) ALWAYS(#name, result = model_##name("path"), result == 0 || result == -1);
    PATH_FUNCTIONS(ON_PATH)
    ALWAYS("mkdir", result = model_mkdir("path", 0777), result == 0 || result == -1);
    ALWAYS("chmod", result = model_chmod("path", 0777), result == 0 || result == -1);
    ALWAYS("access", result = model_access("path", 4), result == 0 || result == -1);
    VIOLATES("unlink", model_unlink(memset(guarded(0, 4), 'a', 4)));
    ALWAYS("umask", result = (int)model_umask(022), result >= 0 && result <= 0777 && model_umask(022) == 022);
    ALWAYS("getcwd", { buffer(0, 10); p = model_getcwd(guarded(0, 10), 10); }, !p || strlen(p) < 10);
    VIOLATES("getcwd", model_getcwd(guarded(0, 10), 11));
    ALWAYS("realpath", p = model_realpath("path", guarded(0, 4096)), !p || (p[0] == '/' && memchr(p, 0, 4096)));
    VIOLATES("realpath", model_realpath("path", guarded(0, 4095)));
    ALWAYS("readlink", { p = buffer(0, 16); count = model_readlink("path", p, 10); },
           count <= 10 && untouched(p, count > 0 ? count : 0, 16));
    ALWAYS("gethostname", { p = buffer(0, 16); model_gethostname(p, 10); }, untouched(p, 10, 16));
    size_t size = sizeof(long) == 8 ? 144 : 88;
    ALWAYS("stat", result = model_stat("path", guarded(0, size)), result == 0 || result == -1);
    ALWAYS("lstat", result = model_lstat("path", guarded(0, size)), result == 0 || result == -1);
    ALWAYS("fstat", result = model_fstat(1, guarded(0, size)), result == 0 || result == -1);
    VIOLATES("fstat", model_fstat(1, guarded(0, size - 1)));
    READS_BYTES("read", model_read(0, p, 10));
    READS_BYTES("__read_chk", model___read_chk(0, p, 10, 16));
    READS_BYTES("pread", model_pread(0, p, 10, 0));
    ALWAYS("write", count = model_write(1, "abcdefghij", 10), count >= -1 && count <= 10);
    ALWAYS("pwrite", count = model_pwrite(1, "abcdefghij", 10, 0), count >= -1 && count <= 10);
    VIOLATES("write", model_write(1, guarded(0, 9), 10));
    ALWAYS("open", result = model_open("path", 0), result >= -1);
    ALWAYS("open64", result = model_open64("path", 0, 0666), result >= -1);
    ALWAYS("creat", result = model_creat("path", 0666), result >= -1);
    ALWAYS("dup", result = model_dup(1), result >= -1);
    ALWAYS("dup2", result = model_dup2(1, 7), result == 7 || result == -1);
    ALWAYS("close", result = model_close(1), result == 0 || result == -1);
    ALWAYS("fsync", result = model_fsync(1), result == 0 || result == -1);
    ALWAYS("ftruncate", result = model_ftruncate(1, 0), result == 0 || result == -1);
    ALWAYS("pipe", { ends[0] = ends[1] = 0; result = model_pipe(ends); }, result == -1 || (ends[0] >= 0 && ends[1] >= 0));
    ALWAYS("lseek", count = model_lseek(1, 0, 0), count >= -1);
    ALWAYS("isatty", result = model_isatty(1), result == 0 || result == 1);
    ALWAYS("system", result = model_system(random_below(2) ? "true" : NULL), 1);
    char *name = guarded(0, 9);
    ALWAYS("mkstemp", { strcpy(name, "abXXXXXX"); result = model_mkstemp(name); }, strlen(name) == 8 && name[1] == 'b');
    ALWAYS("mktemp", { strcpy(name, "abXXXXXX"); model_mktemp(name); }, name[0] == 0 || strlen(name) == 8);
    ALWAYS("mkdtemp", { strcpy(name, "abXXXXXX"); p = model_mkdtemp(name); }, !p || p == name);
}

/* ---- Sockets ---------------------------------------------------------------------------- */

int model_socket(int, int, int), model_bind(int, const void *, unsigned), model_connect(int, const void *, unsigned);
int model_listen(int, int), model_shutdown(int, int), model_accept(int, void *, unsigned *);
ssize_t model_recv(int, void *, size_t, int), model___recv_chk(int, void *, size_t, size_t, int);
ssize_t model_recvfrom(int, void *, size_t, int, void *, unsigned *), model_send(int, const void *, size_t, int);
ssize_t model_sendto(int, const void *, size_t, int, const void *, unsigned);
int model_setsockopt(int, int, int, const void *, unsigned), model_getsockopt(int, int, int, void *, unsigned *);
uint16_t model_htons(uint16_t), model_ntohs(uint16_t);
uint32_t model_htonl(uint32_t), model_ntohl(uint32_t);

static void sockets(void) {
    int result = 0;
    ssize_t count = 0;
    unsigned length = 0;
    char *p = NULL, *address = guarded(1, 16);
    ALWAYS("socket", result = model_socket(2, 1, 0), result >= -1);
    ALWAYS("bind", result = model_bind(1, address, 16), result == 0 || result == -1);
    ALWAYS("connect", result = model_connect(1, address, 16), result == 0 || result == -1);
    VIOLATES("bind", model_bind(1, address, 17));
    ALWAYS("listen", result = model_listen(1, 1), result == 0 || result == -1);
    ALWAYS("shutdown", result = model_shutdown(1, 1), result == 0 || result == -1);
    ALWAYS("accept", { length = 16; result = model_accept(1, address, &length); }, result >= -1);
    EXPECT(ATTEMPT(model_accept(1, NULL, NULL)) != FAULT, "accept without an address");
    READS_BYTES("recv", model_recv(1, p, 10, 0));
    READS_BYTES("__recv_chk", model___recv_chk(1, p, 10, 16, 0));
    READS_BYTES("recvfrom", (length = 16, model_recvfrom(1, p, 10, 0, address, &length)));
    ALWAYS("send", count = model_send(1, "abcdefghij", 10, 0), count >= -1 && count <= 10);
    ALWAYS("sendto", count = model_sendto(1, "abcdefghij", 10, 0, address, 16), count >= -1 && count <= 10);
    VIOLATES("send", model_send(1, guarded(0, 9), 10, 0));
    ALWAYS("setsockopt", result = model_setsockopt(1, 1, 1, address, 16), result == 0 || result == -1);
    ALWAYS("getsockopt", { length = 16; result = model_getsockopt(1, 1, 1, address, &length); }, result == 0 || result == -1);
    ALWAYS("htons", result = model_htons(0x1234), result == 0x3412);
    ALWAYS("ntohs", result = model_ntohs(0x1234), result == 0x3412);
    ALWAYS("htonl", length = model_htonl(0x12345678), length == 0x78563412);
    ALWAYS("ntohl", length = model_ntohl(0x12345678), length == 0x78563412);
}

/* ---- Time and randomness ---------------------------------------------------------------- */

MODEL_OF(time);
MODEL_OF(clock);
MODEL_OF(difftime);
MODEL_OF(localtime);
MODEL_OF(gmtime);
MODEL_OF(localtime_r);
MODEL_OF(gmtime_r);
MODEL_OF(mktime);
MODEL_OF(timegm);
MODEL_OF(tzset);
MODEL_OF(ctime);
MODEL_OF(ctime_r);
MODEL_OF(asctime);
MODEL_OF(asctime_r);
MODEL_OF(strftime);
MODEL_OF(rand);
MODEL_OF(random);
MODEL_OF(lrand48);
MODEL_OF(mrand48);
MODEL_OF(drand48);
MODEL_OF(srand);
MODEL_OF(srandom);
MODEL_OF(srand48);
MODEL_OF(erand48);
MODEL_OF(nrand48);
MODEL_OF(jrand48);
MODEL_OF(seed48);
MODEL_OF(rand_r);
uint32_t model_arc4random(void), model_arc4random_uniform(uint32_t);
void model_arc4random_buf(void *, size_t);
int model_getentropy(void *, size_t);
ssize_t model_getrandom(void *, size_t, unsigned);
MODEL_OF(clock_gettime);
MODEL_OF(clock_getres);
int model_gettimeofday(long *, void *);
unsigned model_sleep(unsigned), model_alarm(unsigned);
int model_usleep(unsigned);
MODEL_OF(nanosleep);

/* The clock of the day does not go back, unless it begins anew. */
extern struct {
    long fine, coarse;
    int part;
    _Bool set;
} model___selkie_day;
#define NEW_DAY memset(&model___selkie_day, 0, sizeof model___selkie_day)

static int calendar(const struct tm *tm) {
    return tm->tm_sec >= 0 && tm->tm_sec <= 60 && tm->tm_min >= 0 && tm->tm_min <= 59 && tm->tm_hour >= 0 && tm->tm_hour <= 23 &&
           tm->tm_mday >= 1 && tm->tm_mday <= 31 && tm->tm_mon >= 0 && tm->tm_mon <= 11 && tm->tm_wday >= 0 && tm->tm_wday <= 6 &&
           tm->tm_yday >= 0 && tm->tm_yday <= 365 && !strcmp(tm->tm_zone, "UTC");
}

static void times(void) {
    time_t now = 0, other = 0;
    struct tm *tm = NULL, fields = {0};
    ALWAYS("time", { NEW_DAY; now = model_time(random_below(2) ? &other : NULL); }, now >= 0);
    ALWAYS("clock", { other = now; now = model_clock(); }, now >= 0);
    NEW_DAY;
    now = 0;
    ALWAYS("time", { other = now; now = model_time(NULL); }, now >= other);
    for (int i = 0; i < RUNS; i++) {
        time_t a = (time_t)random_bits() >> random_below(60), b = (time_t)random_bits() >> random_below(60);
        EXPECT(model_difftime(a, b) == difftime(a, b), "difftime of %ld, %ld", (long)a, (long)b);
    }
    COVERS("difftime");
    /* The choices are the fields: one number fits all of them. */
    native_choice = 1;
    ALWAYS("localtime", tm = model_localtime(&now), !tm || calendar(tm));
    ALWAYS("gmtime", tm = model_gmtime(&now), !tm || calendar(tm));
    ALWAYS("localtime_r", tm = model_localtime_r(&now, &fields), !tm || (tm == &fields && calendar(tm)));
    ALWAYS("gmtime_r", tm = model_gmtime_r(&now, &fields), !tm || (tm == &fields && calendar(tm)));
    ALWAYS("mktime", now = model_mktime(&fields), now == -1 || calendar(&fields));
    ALWAYS("timegm", now = model_timegm(&fields), now == -1 || calendar(&fields));
    VIOLATES("localtime", model_localtime(NULL));
    ALWAYS("tzset", model_tzset(), 1);
    char *text = NULL, *room = guarded(0, 26);
    ALWAYS("ctime", text = model_ctime(&now), !text || (strlen(text) == 25 && text[24] == '\n'));
    ALWAYS("asctime", text = model_asctime(&fields), !text || (strlen(text) == 25 && text[24] == '\n'));
    ALWAYS("ctime_r", text = model_ctime_r(&now, room), !text || (text == room && strlen(text) == 25));
    ALWAYS("asctime_r", text = model_asctime_r(&fields, room), !text || (text == room && strlen(text) == 25));
    VIOLATES("ctime_r", model_ctime_r(&now, room + 1));
    native_choice = -1;
    size_t count = 0;
    ALWAYS("strftime", { text = buffer(0, 12); count = model_strftime(text, 6, "%Y", &fields); },
           count < 6 && untouched(text, 6, 12) && (count == 0 || strlen(text) == count));
    VIOLATES("strftime", model_strftime(guarded(0, 5), 6, "%Y", &fields));
    struct timespec spec = {0, 0};
    ALWAYS("clock_gettime", { NEW_DAY; model_clock_gettime(0, &spec); }, spec.tv_nsec >= 0 && spec.tv_nsec < 1000000000);
    ALWAYS("clock_getres", { NEW_DAY; model_clock_getres(0, &spec); }, spec.tv_nsec >= 0 && spec.tv_nsec < 1000000000);
    long pair[2] = {0, 0};
    ALWAYS("gettimeofday", { NEW_DAY; model_gettimeofday(pair, NULL); }, pair[0] >= 0 && pair[1] >= 0 && pair[1] < 1000000);
    unsigned left = 0;
    int result = 0;
    ALWAYS("sleep", left = model_sleep(100), left <= 100);
    ALWAYS("usleep", result = model_usleep(100), result == 0 || result == -1);
    ALWAYS("nanosleep", result = model_nanosleep(&spec, NULL), result == 0 || result == -1);
    ALWAYS("alarm", left = model_alarm(1), 1);
}

static void randomness(void) {
    long value = 0;
    double real = 0;
    unsigned seed = 1;
    uint32_t word32 = 0;
    ALWAYS("rand", value = model_rand(), value >= 0 && value <= RAND_MAX);
    ALWAYS("random", value = model_random(), value >= 0 && value <= RAND_MAX);
    ALWAYS("rand_r", value = model_rand_r(&seed), value >= 0 && value <= RAND_MAX);
    ALWAYS("lrand48", value = model_lrand48(), value >= 0 && value <= 2147483647);
    ALWAYS("mrand48", value = model_mrand48(), value >= -2147483647 - 1 && value <= 2147483647);
    ALWAYS("drand48", real = model_drand48(), real >= 0 && real < 1);
    ALWAYS("srand", model_srand(1), 1);
    ALWAYS("srandom", model_srandom(1), 1);
    ALWAYS("srand48", model_srand48(1), 1);
    /* As the library does it. */
    for (int i = 0; i < RUNS; i++) {
        unsigned short left[3], right[3];
        long number = (long)random_bits();
        for (int k = 0; k < 3; k++)
            left[k] = right[k] = (unsigned short)random_bits();
        srand48(number), model_srand48(number);
        EXPECT(lrand48() == model_lrand48() && mrand48() == model_mrand48() && drand48() == model_drand48(), "after srand48(%ld)", number);
        EXPECT(nrand48(left) == model_nrand48(right) && jrand48(left) == model_jrand48(right) && erand48(left) == model_erand48(right),
               "with a state of the program's");
        EXPECT(!memcmp(seed48(left), model_seed48(right), sizeof left) && lrand48() == model_lrand48(), "after seed48");
        unsigned one = (unsigned)number, other = one;
        EXPECT(rand_r(&one) == model_rand_r(&other) && one == other, "rand_r of %u", (unsigned)number);
    }
    /* The same seed gives the same numbers. */
    int first = 0, again = 0;
    while (ATTEMPT({ model_srand(7); first = model_rand(); }) != RETURNED)
        continue;
    model_srand(7);
    EXPECT(ATTEMPT(again = model_rand()) == RETURNED && first == again, "srand twice");
    ALWAYS("arc4random", word32 = model_arc4random(), 1);
    ALWAYS("arc4random_uniform", word32 = model_arc4random_uniform(100), word32 < 100);
    char *p = NULL;
    ssize_t count = 0;
    ALWAYS("arc4random_buf", { p = buffer(0, 16); model_arc4random_buf(p, 10); }, untouched(p, 10, 16));
    ALWAYS("getentropy", { p = buffer(0, 16); model_getentropy(p, 10); }, untouched(p, 10, 16));
    READS_BYTES("getrandom", model_getrandom(p, 10, 0));
}

/* ---- The rest --------------------------------------------------------------------------- */

MODEL_OF(strerror);
MODEL_OF(strerror_r);
MODEL_OF(strsignal);
int model___xpg_strerror_r(int, char *, size_t);
char *model_setlocale(int, const char *);
int model_getopt(int, char *const *, const char *);
struct option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};
int model_getopt_long(int, char *const *, const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const *, const char *, const struct option *, int *);
extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;

static void texts(void) {
    char *text = NULL;
    int result = 0;
    ALWAYS("strerror", text = model_strerror(1), strlen(text) < 64);
    ALWAYS("strsignal", text = model_strsignal(1), strlen(text) < 64);
    ALWAYS("strerror_r", text = model_strerror_r(1, buffer(0, 8), 8), strlen(text) < 64);
    ALWAYS("__xpg_strerror_r", { text = buffer(0, 16); model___xpg_strerror_r(1, text, 8); },
           strlen(text) < 8 && untouched(text, 8, 16));
    ALWAYS("setlocale", text = model_setlocale(0, random_below(2) ? "" : NULL), !text || strlen(text) < 32);
    EXPECT(!strcmp(model_setlocale(0, "C"), "C") && !strcmp(model_setlocale(0, NULL), "C"), "the C locale");
    char *arguments[] = {"program", "-a", "value", NULL};
#define IS_OPTION(c) (c == -1 || c == '?' || c == 'a' || (c == 'b' && (model_optarg == arguments[1] || model_optarg == arguments[2])))
    ALWAYS("getopt", { model_optarg = NULL; result = model_getopt(3, arguments, "ab:"); },
           IS_OPTION(result) && model_optind >= 1 && model_optind <= 3);
    int flag = 0, which = -1;
    struct option table[] = {{"one", 0, &flag, 5}, {"two", 1, NULL, 'b'}, {NULL, 0, NULL, 0}};
    ALWAYS("getopt_long", { flag = 0; result = model_getopt_long(3, arguments, "ab:", table, &which); },
           result == 0 ? flag == 5 && which == 0 : IS_OPTION(result));
    ALWAYS("getopt_long_only", { flag = 0; result = model_getopt_long_only(3, arguments, "ab:", table, NULL); },
           result == 0 ? flag == 5 : IS_OPTION(result));
    EXPECT(model_opterr == 1, "opterr");
    (void)model_optopt;
    COVERS("optarg"), COVERS("optind"), COVERS("opterr"), COVERS("optopt");
}

int model_getpid(void), model_getppid(void), model_setuid(unsigned), model_setgid(unsigned), model_getpagesize(void);
unsigned model_getuid(void), model_geteuid(void), model_getgid(void), model_getegid(void);
long model_sysconf(int);

static void ids(void) {
    long value = 0;
    COVERS("__selkie_process_id"), COVERS("__selkie_descriptor_new"), COVERS("__selkie_io"), COVERS("__selkie_day");
    ALWAYS("getpid", value = model_getpid(), value > 0 && value == model_getpid());
    ALWAYS("getppid", value = model_getppid(), value >= 0);
    ALWAYS("getuid", value = (long)model_getuid(), 1);
    ALWAYS("geteuid", value = (long)model_geteuid(), 1);
    ALWAYS("getgid", value = (long)model_getgid(), 1);
    ALWAYS("getegid", value = (long)model_getegid(), 1);
    ALWAYS("setuid", value = model_setuid(1), value == 0 || value == -1);
    ALWAYS("setgid", value = model_setgid(1), value == 0 || value == -1);
    ALWAYS("getpagesize", value = model_getpagesize(), value == 4096);
    ALWAYS("sysconf", value = model_sysconf(1), value >= -1 && value == model_sysconf(1));
}

#define LOCKS_1(use) \
    use(pthread_mutex_destroy) use(pthread_mutex_lock) use(pthread_mutex_unlock) use(pthread_mutexattr_init) \
    use(pthread_mutexattr_destroy) use(pthread_rwlock_destroy) use(pthread_rwlock_rdlock) use(pthread_rwlock_wrlock) \
    use(pthread_rwlock_unlock) use(pthread_spin_destroy) use(pthread_spin_lock) use(pthread_spin_unlock) \
    use(pthread_cond_destroy) use(pthread_cond_signal) use(pthread_cond_broadcast) use(pthread_attr_init) use(pthread_attr_destroy)
#define LOCKS_2(use) use(pthread_mutex_init) use(pthread_rwlock_init) use(pthread_cond_init)
#define LOCKS_TRY(use) \
    use(pthread_mutex_trylock) use(pthread_rwlock_tryrdlock) use(pthread_rwlock_trywrlock) use(pthread_spin_trylock)
#define DECLARE_LOCK_1(name) int model_##name(void *);
#define DECLARE_LOCK_2(name) int model_##name(void *, const void *);
LOCKS_1(DECLARE_LOCK_1)
LOCKS_2(DECLARE_LOCK_2)
LOCKS_TRY(DECLARE_LOCK_1)
int model_pthread_cond_wait(void *, void *), model_pthread_mutexattr_settype(void *, int), model_pthread_spin_init(void *, int), model_pthread_attr_setdetachstate(void *, int);
unsigned long model_pthread_self(void);
int model_pthread_equal(unsigned long, unsigned long), model_sched_yield(void), model_pthread_once(int *, void (*)(void));
int model_pthread_key_create(unsigned *, void (*)(void *)), model_pthread_key_delete(unsigned);
void *model_pthread_getspecific(unsigned);
int model_pthread_setspecific(unsigned, const void *);
int model_pthread_create(void *, void *, void *, void *), model_pthread_join(unsigned long, void **);
int model_pthread_detach(unsigned long), model_pthread_cancel(unsigned long), model_pthread_kill(unsigned long, int);
void model_pthread_exit(void *);
int model_thrd_create(void *, void *, void *), model_thrd_join(unsigned long, int *);
int model_sem_init(unsigned *, int, unsigned), model_sem_destroy(unsigned *), model_sem_post(unsigned *), model_sem_wait(unsigned *);
int model_sem_trywait(unsigned *), model_sem_getvalue(unsigned *, int *);

static int once_runs;
static void once(void) { once_runs++; }

static void threads(void) {
    char object[64] = {0};
    int result = 0;
#define LOCK_1(name) ALWAYS(#name, result = model_##name(object), result == 0);
#define LOCK_2(name) ALWAYS(#name, result = model_##name(object, NULL), result == 0);
#define LOCK_TRY(name) ALWAYS(#name, result = model_##name(object), result == 0 || result == 16);
    LOCKS_1(LOCK_1)
    LOCKS_2(LOCK_2)
    LOCKS_TRY(LOCK_TRY)
    VIOLATES("pthread_mutex_lock", model_pthread_mutex_lock(NULL));
    ALWAYS("pthread_cond_wait", result = model_pthread_cond_wait(object, object), result == 0);
    VIOLATES("pthread_cond_wait", model_pthread_cond_wait(object, NULL));
    ALWAYS("pthread_mutexattr_settype", result = model_pthread_mutexattr_settype(object, 1), result == 0);
    ALWAYS("pthread_spin_init", result = model_pthread_spin_init(object, 1), result == 0);
    ALWAYS("pthread_attr_setdetachstate", result = model_pthread_attr_setdetachstate(object, 1), result == 0);
    ALWAYS("pthread_self", result = model_pthread_equal(model_pthread_self(), model_pthread_self()), result == 1);
    COVERS("pthread_equal");
    ALWAYS("sched_yield", result = model_sched_yield(), result == 0);
    int control = 0;
    ALWAYS("pthread_once", result = model_pthread_once(&control, once), result == 0 && once_runs == 1);
    unsigned key = 99;
    EXPECT(model_pthread_key_create(&key, NULL) == 0 && !model_pthread_getspecific(key), "pthread_key_create");
    EXPECT(model_pthread_setspecific(key, object) == 0 && model_pthread_getspecific(key) == object, "pthread_setspecific");
    EXPECT(model_pthread_key_delete(key) == 0 && model_pthread_key_delete(77) != 0, "pthread_key_delete");
    COVERS("pthread_key_create"), COVERS("pthread_getspecific"), COVERS("pthread_setspecific"), COVERS("pthread_key_delete");
    UNSUPPORTED("pthread_create", model_pthread_create(NULL, NULL, NULL, NULL));
    UNSUPPORTED("pthread_join", model_pthread_join(1, NULL));
    UNSUPPORTED("pthread_detach", model_pthread_detach(1));
    UNSUPPORTED("pthread_cancel", model_pthread_cancel(1));
    UNSUPPORTED("pthread_kill", model_pthread_kill(1, 1));
    UNSUPPORTED("pthread_exit", model_pthread_exit(NULL));
    UNSUPPORTED("thrd_create", model_thrd_create(NULL, NULL, NULL));
    UNSUPPORTED("thrd_join", model_thrd_join(1, NULL));
    unsigned semaphore = 9;
    EXPECT(model_sem_init(&semaphore, 0, 1) == 0 && model_sem_getvalue(&semaphore, &result) == 0 && result == 1, "sem_init");
    EXPECT(ATTEMPT(model_sem_wait(&semaphore)) == RETURNED && semaphore == 0, "sem_wait");
    EXPECT(ATTEMPT(model_sem_wait(&semaphore)) == ASSUMED_AWAY, "sem_wait blocks");
    EXPECT(model_sem_trywait(&semaphore) == -1 && model_sem_post(&semaphore) == 0 && model_sem_trywait(&semaphore) == 0, "sem_post");
    EXPECT(model_sem_destroy(&semaphore) == 0, "sem_destroy");
    COVERS("sem_init"), COVERS("sem_getvalue"), COVERS("sem_wait"), COVERS("sem_trywait"), COVERS("sem_post"), COVERS("sem_destroy");
}

typedef void (*handler)(int);
handler model_signal(int, handler), model___sysv_signal(int, handler), model_bsd_signal(int, handler);
int model_sigaction(int, const void *, void *), model_raise(int), model_sigemptyset(void *), model_sigfillset(void *);
int model_sigprocmask(int, const void *, void *);
int model_setjmp(void *), model__setjmp(void *), model_sigsetjmp(void *, int), model___sigsetjmp(void *, int);
void model_longjmp(void *, int), model__longjmp(void *, int), model_siglongjmp(void *, int), model___longjmp_chk(void *, int);
void model___stack_chk_fail(void), model___chk_fail(void);
static void some_handler(int number_of_signal) { (void)number_of_signal; }

#define PROCESSES(use) \
    use(fork, ()) use(vfork, ()) use(clone, (NULL, NULL, 0, NULL)) use(wait, (NULL)) use(waitpid, (1, NULL, 0)) \
    use(execl, ("a", "b", NULL)) use(execlp, ("a", "b", NULL)) use(execle, ("a", "b", NULL, NULL)) use(execv, ("a", NULL)) \
    use(execvp, ("a", NULL)) use(execve, ("a", NULL, NULL)) use(ioctl, (1, 1UL)) use(mmap, (NULL, (size_t)1, 0, 0, 0, 0L)) \
    use(munmap, (NULL, (size_t)1)) use(sbrk, ((ssize_t)1)) use(dlopen, ("a", 0)) use(dlsym, (NULL, "a"))

static void processes(void) {
    char object[512] = {0};
    int result = 0;
#define SIGNALS(name) \
    ALWAYS(#name, model_##name(1, NULL), 1); \
    UNSUPPORTED(#name, model_##name(1, some_handler))
    SIGNALS(signal);
    SIGNALS(__sysv_signal);
    SIGNALS(bsd_signal);
    ALWAYS("sigaction", model_sigaction(1, object, NULL), 1);
    ALWAYS("sigaction", { memset(object, 0, 512); model_sigaction(1, NULL, object + 8); }, object[7] == 0 && object[160] == 0);
    VIOLATES("sigaction", model_sigaction(1, guarded(0, 139), NULL));
    memset(object, 0, 512);
    UNSUPPORTED("sigaction", model_sigaction(1, (handler[20]){some_handler}, NULL));
    model_sigprocmask(2, memset(guarded(0, 128), 0, 128), NULL);
    EXPECT(ATTEMPT(model_raise(9)) == HALTED, "raise(SIGKILL) ends the program");
    model_signal(6, (handler)1);
    EXPECT(ATTEMPT(result = model_raise(6)) == RETURNED && result == 0, "a signal that is ignored");
    EXPECT(model_signal(6, NULL) == (handler)1 && ATTEMPT(model_raise(6)) == HALTED, "raise(SIGABRT) aborts");
    int ended = 0;
    for (int number = 1; number <= 64; number++)
        ended += ATTEMPT(result = model_raise(number)) == HALTED;
    EXPECT(ended > 0 && ended < 64, "raise may end the program");
    COVERS("raise");
    ALWAYS("sigemptyset", result = model_sigemptyset(object), result == 0 && object[127] == 0);
    ALWAYS("sigfillset", result = model_sigfillset(object), result == 0 && object[127] == -1 && object[128] == 0);
    ALWAYS("sigprocmask", result = model_sigprocmask(0, object, object + 128), result == 0 && object[256] == 0);
    EXPECT(model_setjmp(object) == 0 && model__setjmp(object) == 0, "setjmp");
    EXPECT(model_sigsetjmp(object, 1) == 0 && model___sigsetjmp(object, 1) == 0, "sigsetjmp");
    COVERS("setjmp"), COVERS("_setjmp"), COVERS("sigsetjmp"), COVERS("__sigsetjmp");
    UNSUPPORTED("longjmp", model_longjmp(object, 1));
    UNSUPPORTED("_longjmp", model__longjmp(object, 1));
    UNSUPPORTED("siglongjmp", model_siglongjmp(object, 1));
    UNSUPPORTED("__longjmp_chk", model___longjmp_chk(object, 1));
    VIOLATES("__stack_chk_fail", model___stack_chk_fail());
    VIOLATES("__chk_fail", model___chk_fail());
    COVERS("__stack_chk_fail"), COVERS("__chk_fail");
#define PROCESS(name, arguments) \
    { \
        extern int model_##name(); \
        UNSUPPORTED(#name, model_##name arguments); \
    }
#pragma clang diagnostic ignored "-Wdeprecated-non-prototype"
#pragma clang diagnostic ignored "-Wstrict-prototypes"
    PROCESSES(PROCESS)
}

int main(void) {
    files();
    sockets();
    times();
    randomness();
    texts();
    ids();
    threads();
    processes();
}
