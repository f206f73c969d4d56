/* As string.c: the network, time, threads, signals and jumps. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <selkie.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Never true, but that is not easy to see: what is not reached may be wrong. */
static int never(void) {
    unsigned x = sk_nondet_uint();
    return x * x % 4 == 2;
}

/* ---- Sockets ---------------------------------------------------------------------------- */

extern ssize_t __recv_chk(int, void *, size_t, size_t, int);
extern ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);

/// holds: socket listen shutdown socketpair
{
    int fd = socket(AF_INET, SOCK_STREAM, 0), ends[2];
    sk_assert(fd >= -1 && listen(fd, 5) <= 0 && shutdown(fd, SHUT_RD) <= 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        sk_assert(ends[0] >= 0 && ends[1] >= 0);
}
/// violates deref: socketpair
{
    int end;
    socketpair(AF_UNIX, SOCK_STREAM, 0, &end);
}
/// violates assert: socket
{
    sk_assert(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}
/// holds: bind connect
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    errno = 0;
    int result = FUNCTION(0, (struct sockaddr *)&address, sizeof address);
    sk_assert(result == 0 || (result == -1 && errno > 0));
}
/// violates deref: bind connect
{
    int address = 0;
    FUNCTION(0, (struct sockaddr *)&address, sizeof(struct sockaddr_in));
}
/// holds: accept getsockname getpeername
{
    struct sockaddr_in address[2] = {{0}};
    socklen_t length = sizeof *address;
    sk_assert(FUNCTION(0, (struct sockaddr *)address, &length) >= -1 && address[1].sin_port == 0);
}
/// holds: accept
{
    sk_assert(accept(0, NULL, NULL) >= -1);
}
/// violates deref: accept getsockname getpeername
{
    struct sockaddr_in address;
    socklen_t length = sizeof address + 1;
    FUNCTION(0, (struct sockaddr *)&address, &length);
}
/// violates deref: accept getsockname getpeername
{
    struct sockaddr_in address;
    FUNCTION(0, (struct sockaddr *)&address, NULL);
}
#define call_recv(to, n) recv(0, to, n, 0)
#define call___recv_chk(to, n) __recv_chk(0, to, n, 8, 0)
#define call_recvfrom(to, n) recvfrom(0, to, n, 0, NULL, NULL)
#define call___recvfrom_chk(to, n) __recvfrom_chk(0, to, n, 8, 0, NULL, NULL)
/// holds: recv __recv_chk recvfrom __recvfrom_chk
{
    char a[9] = "";
    ssize_t n = call_FUNCTION(a, 8);
    sk_assert(n >= -1 && n <= 8 && a[8] == 0 && (n > 0 || a[0] == 0));
}
/// violates deref: recv __recv_chk recvfrom __recvfrom_chk
{
    char a[7];
    call_FUNCTION(a, 8);
}
/// violates deref: __recv_chk __recvfrom_chk
{
    char a[10];
    call_FUNCTION(a, 9);
}
/// violates deref: recvfrom
{
    char a[8], address[4];
    socklen_t length = 5;
    recvfrom(0, a, 8, 0, (struct sockaddr *)address, &length);
}
/// violates assert: recv
{
    char a[2] = "x";
    sk_assert(recv(0, a, 1, 0) != 1 || a[0] == 'x');
}
/// holds: send sendto
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    ssize_t n = send(0, "abc", 3, 0);
    sk_assert(n >= -1 && n <= 3);
    n = sendto(0, "abc", 3, 0, (struct sockaddr *)&address, sizeof address);
    sk_assert(n >= -1 && n <= 3);
}
/// violates deref: send
{
    char a[8] = "";
    send(0, a, 9, 0);
}
/// violates deref: sendto
{
    char a[8] = "";
    sendto(0, a, 9, 0, NULL, 0);
}
/// violates deref: sendto
{
    int address = 0;
    sendto(0, "abc", 3, 0, (struct sockaddr *)&address, sizeof(struct sockaddr_in));
}
/// holds: setsockopt getsockopt
{
    int value = 1;
    socklen_t length = sizeof value;
    sk_assert(setsockopt(0, SOL_SOCKET, SO_REUSEADDR, &value, length) <= 0);
    sk_assert(getsockopt(0, SOL_SOCKET, SO_REUSEADDR, &value, &length) <= 0);
}
/// violates deref: setsockopt
{
    char value = 1;
    setsockopt(0, SOL_SOCKET, SO_REUSEADDR, &value, sizeof(int));
}
/// violates deref: getsockopt
{
    char value = 1;
    socklen_t length = sizeof(int);
    getsockopt(0, SOL_SOCKET, SO_REUSEADDR, &value, &length);
}

/* ---- Addresses -------------------------------------------------------------------------- */

/// holds: htons ntohs htonl ntohl
{
    sk_assert((htons)(80) == 0x5000 && (htonl)(1) == 0x1000000);
    unsigned x = sk_nondet_uint();
    sk_assert((ntohl)((htonl)(x)) == x && (ntohs)((htons)((unsigned short)x)) == (unsigned short)x);
}
/// holds: inet_addr inet_aton inet_ntoa inet_pton inet_ntop
{
    struct in_addr address;
    char text[INET_ADDRSTRLEN];
    sk_assert(inet_addr("127.0.0.1") == 0x100007f && inet_addr("1.2.3.256") == INADDR_NONE && inet_addr("") == INADDR_NONE);
    sk_assert(inet_aton("10.0x20.3", &address) == 1 && address.s_addr == 0x0300200a && inet_aton("a", &address) == 0);
    sk_assert(!strcmp(inet_ntoa(address), "10.32.0.3"));
    sk_assert(inet_pton(AF_INET, "1.20.255.4", &address) == 1 && inet_pton(AF_INET, "1.2.3", &address) == 0);
    sk_assert(inet_ntop(AF_INET, &address, text, sizeof text) == text && !strcmp(text, "1.20.255.4"));
    sk_assert(!inet_ntop(AF_INET, &address, text, 10) && inet_pton(-1, "", NULL) == -1);
}
/// holds: inet_pton inet_ntop
{
    struct in6_addr address;
    char text[INET6_ADDRSTRLEN];
    if (inet_pton(AF_INET6, "::1", &address) == 1 && inet_ntop(AF_INET6, &address, text, sizeof text))
        sk_assert(strlen(text) < sizeof text);
}
/// violates deref: inet_addr
{
    char open[1] = {'1'};
    inet_addr(open);
}
/// violates deref: inet_aton
{
    short address;
    inet_aton("1.2.3.4", (struct in_addr *)&address);
}
/// violates deref: inet_pton
{
    struct in_addr address;
    inet_pton(AF_INET6, "::1", &address);
}
/// violates deref: inet_pton
{
    char open[2] = {'1', '.'};
    struct in_addr address;
    inet_pton(AF_INET, open, &address);
}
/// violates deref: inet_ntop
{
    struct in_addr address = {0};
    char text[15];
    inet_ntop(AF_INET, &address, text, 16);
}
/// violates deref: inet_ntop
{
    struct in_addr address = {0};
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, &address, text, sizeof text);
}

/* ---- Time ------------------------------------------------------------------------------- */

#define call_localtime localtime
#define call_gmtime gmtime
#define call_localtime_r(when) localtime_r(when, &fields)
#define call_gmtime_r(when) gmtime_r(when, &fields)
static struct tm fields;
/// holds: time clock difftime tzset
{
    time_t now, then = time(&now);
    sk_assert(then == now && now >= -1 && time(NULL) >= -1 && clock() >= -1);
    sk_assert(difftime(5, 3) == 2 && difftime(3, 5) == -2);
    tzset();
}
/// violates deref: time
{
    char now;
    time((time_t *)&now);
}
/// holds: localtime gmtime localtime_r gmtime_r
{
    time_t now = time(NULL);
    struct tm *tm = call_FUNCTION(&now);
    if (tm) {
        sk_assert(tm->tm_mon >= 0 && tm->tm_mon <= 11 && tm->tm_mday >= 1 && tm->tm_mday <= 31);
        sk_assert(tm->tm_sec >= 0 && tm->tm_sec <= 60 && tm->tm_yday >= 0 && tm->tm_yday <= 365);
    }
}
/// holds: localtime gmtime localtime_r gmtime_r
{
    time_t now = 1000000000;
    sk_assert(call_FUNCTION(&now) != NULL);
}
/// violates deref: localtime gmtime localtime_r gmtime_r
{
    call_FUNCTION(NULL);
}
/// violates deref: localtime_r gmtime_r
{
    time_t now = 0;
    int small;
    FUNCTION(&now, (struct tm *)&small);
}
/// holds: mktime timegm timelocal
{
    struct tm tm = {.tm_year = 100, .tm_mon = 17, .tm_mday = 1};
    if (FUNCTION(&tm) != -1)
        sk_assert(tm.tm_mon >= 0 && tm.tm_mon <= 11 && tm.tm_wday >= 0 && tm.tm_wday <= 6);
}
/// violates deref: mktime timegm timelocal
{
    int small[9] = {0};
    FUNCTION((struct tm *)small);
}
static char text[32];
#define call_ctime ctime
#define call_asctime asctime
#define call_ctime_r(when) ctime_r(when, text)
#define call_asctime_r(when) asctime_r(when, text)
/// holds: ctime ctime_r
{
    time_t now = sk_nondet_int();
    char *p = call_FUNCTION(&now);
    sk_assert(p && strlen(p) == 25 && p[24] == '\n');
}
/// holds: asctime asctime_r
{
    struct tm tm = {.tm_year = 100, .tm_mday = 1};
    char *p = call_FUNCTION(&tm);
    sk_assert(p && strlen(p) == 25 && p[24] == '\n');
}
/// violates deref: ctime ctime_r asctime asctime_r
{
    call_FUNCTION(NULL);
}
/// violates deref: ctime_r
{
    char small[25];
    time_t now = 0;
    ctime_r(&now, small);
}
/// violates deref: asctime_r
{
    char small[25];
    struct tm tm = {.tm_mday = 1};
    asctime_r(&tm, small);
}
/// holds: strftime strptime
{
    struct tm tm = {.tm_year = 100, .tm_mday = 1};
    char a[6] = "";
    size_t n = strftime(a, 5, "%Y", &tm);
    sk_assert(n < 5 && (n == 0 || strlen(a) == n) && a[5] == 0 && strftime(NULL, 0, "%Y", &tm) == 0);
    const char *s = "12:30";
    char *end = strptime(s, "%H:%M", &tm);
    sk_assert(!end || (end >= s && end <= s + 5));
    sk_assert(tm.tm_hour >= 0 && tm.tm_hour <= 23);
}
/// violates deref: strftime
{
    char a[4];
    struct tm tm = {0};
    strftime(a, 5, "%Y", &tm);
}
/// violates deref: strftime
{
    char a[4], open[2] = {'%', 'Y'};
    struct tm tm = {0};
    strftime(a, 4, open, &tm);
}
/// violates deref: strptime
{
    char open[2] = {'1', '2'};
    struct tm tm = {0};
    strptime(open, "%H", &tm);
}
/// violates deref: strptime
{
    int small;
    strptime("12", "%H", (struct tm *)&small);
}
/// holds: gettimeofday settimeofday clock_gettime clock_getres clock_settime timespec_get
{
    struct timeval t;
    struct timespec u = {0, 0};
    sk_assert(gettimeofday(&t, NULL) == 0 && t.tv_sec >= 0 && t.tv_usec >= 0 && t.tv_usec < 1000000);
    sk_assert(clock_gettime(CLOCK_REALTIME, &u) <= 0 && u.tv_nsec >= 0 && u.tv_nsec < 1000000000);
    sk_assert(clock_getres(CLOCK_REALTIME, &u) <= 0 && clock_getres(CLOCK_REALTIME, NULL) <= 0);
    sk_assert(settimeofday(&t, NULL) <= 0 && clock_settime(CLOCK_REALTIME, &u) <= 0);
    int base = timespec_get(&u, TIME_UTC);
    sk_assert((base == 0 || base == TIME_UTC) && u.tv_nsec < 1000000000);
}
/// violates deref: gettimeofday settimeofday
{
    char small[4] = "";
    FUNCTION((struct timeval *)small, NULL);
}
/// violates deref: clock_gettime clock_getres clock_settime
{
    char small[4] = "";
    FUNCTION(CLOCK_REALTIME, (struct timespec *)small);
}
/// violates deref: timespec_get
{
    char small[4];
    timespec_get((struct timespec *)small, TIME_UTC);
}
/// holds: sleep usleep alarm nanosleep clock_nanosleep
{
    struct timespec u = {0, 1000}, left = {0, 0};
    sk_assert(sleep(3) <= 3 && usleep(3) <= 0 && nanosleep(&u, NULL) <= 0 && nanosleep(&u, &left) <= 0);
    sk_assert(left.tv_sec >= 0 && left.tv_nsec < 1000000000);
    sk_assert(clock_nanosleep(CLOCK_REALTIME, 0, &u, NULL) >= 0);
    alarm(1);
}
/// violates deref: nanosleep
{
    nanosleep(NULL, NULL);
}
/// violates deref: clock_nanosleep
{
    clock_nanosleep(CLOCK_REALTIME, 0, NULL, NULL);
}

/* ---- Locks ------------------------------------------------------------------------------ */

/// holds: pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock
///     pthread_mutex_timedlock pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype
{
    pthread_mutex_t m;
    pthread_mutexattr_t a;
    struct timespec end = {0, 0};
    sk_assert(pthread_mutexattr_init(&a) == 0 && pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL) == 0);
    sk_assert(pthread_mutex_init(&m, &a) == 0 && pthread_mutexattr_destroy(&a) == 0 && pthread_mutex_init(&m, NULL) == 0);
    sk_assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
    int tried = pthread_mutex_trylock(&m);
    sk_assert(tried == 0 || tried == EBUSY);
    tried = pthread_mutex_timedlock(&m, &end);
    sk_assert(tried == 0 || tried == ETIMEDOUT);
    sk_assert(pthread_mutex_destroy(&m) == 0);
}
/// holds: pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
///     pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_spin_init pthread_spin_destroy pthread_spin_lock
///     pthread_spin_unlock pthread_spin_trylock
{
    pthread_rwlock_t m;
    pthread_spinlock_t s;
    sk_assert(pthread_rwlock_init(&m, NULL) == 0 && pthread_rwlock_rdlock(&m) == 0 && pthread_rwlock_unlock(&m) == 0);
    sk_assert(pthread_rwlock_wrlock(&m) == 0 && pthread_rwlock_unlock(&m) == 0);
    int tried = pthread_rwlock_tryrdlock(&m) | pthread_rwlock_trywrlock(&m);
    sk_assert(tried == 0 || tried == EBUSY);
    sk_assert(pthread_spin_init(&s, 0) == 0 && pthread_spin_lock(&s) == 0 && pthread_spin_unlock(&s) == 0);
    tried = pthread_spin_trylock(&s);
    sk_assert(tried == 0 || tried == EBUSY);
    sk_assert(pthread_rwlock_destroy(&m) == 0 && pthread_spin_destroy(&s) == 0);
}
/// holds: pthread_cond_init pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_cond_wait
///     pthread_cond_timedwait pthread_condattr_init pthread_condattr_destroy
{
    pthread_cond_t c;
    pthread_condattr_t a;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    struct timespec end = {0, 0};
    sk_assert(pthread_condattr_init(&a) == 0 && pthread_cond_init(&c, &a) == 0 && pthread_condattr_destroy(&a) == 0);
    sk_assert(pthread_cond_signal(&c) == 0 && pthread_cond_broadcast(&c) == 0 && pthread_cond_wait(&c, &m) == 0);
    int result = pthread_cond_timedwait(&c, &m, &end);
    sk_assert(result == 0 || result == ETIMEDOUT);
    sk_assert(pthread_cond_destroy(&c) == 0);
}
/// holds: mtx_init mtx_destroy mtx_lock mtx_unlock mtx_trylock
{
    mtx_t m;
    sk_assert(mtx_init(&m, mtx_plain) == thrd_success && mtx_lock(&m) == thrd_success && mtx_unlock(&m) == thrd_success);
    int tried = mtx_trylock(&m);
    sk_assert(tried == thrd_success || tried == thrd_busy);
    mtx_destroy(&m);
}
/// violates deref: pthread_mutex_destroy pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutexattr_init
///     pthread_mutexattr_destroy pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
///     pthread_rwlock_tryrdlock pthread_rwlock_trywrlock pthread_spin_destroy pthread_spin_lock pthread_spin_unlock
///     pthread_spin_trylock pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_condattr_init
///     pthread_condattr_destroy mtx_destroy mtx_lock mtx_unlock mtx_trylock pthread_attr_init pthread_attr_destroy
{
    FUNCTION(NULL);
}
/// violates deref: pthread_mutex_lock pthread_mutex_unlock
{
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, NULL);
    free(m);
    FUNCTION(m);
}
/// violates deref: pthread_mutex_init pthread_rwlock_init pthread_cond_init
{
    FUNCTION(NULL, NULL);
}
/// violates deref: pthread_mutexattr_settype pthread_spin_init mtx_init pthread_attr_setdetachstate pthread_attr_setstacksize
{
    FUNCTION(NULL, 1);
}
/// violates deref: pthread_mutex_timedlock
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_timedlock(&m, NULL);
}
/// violates deref: pthread_cond_wait
{
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_cond_wait(&c, NULL);
}
/// violates deref: pthread_cond_timedwait
{
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_timedwait(&c, &m, NULL);
}
/// holds: sem_init sem_destroy sem_post sem_wait sem_trywait sem_timedwait sem_getvalue
{
    sem_t s;
    struct timespec end = {0, 0};
    int value;
    sk_assert(sem_init(&s, 0, 0) == 0 && sem_trywait(&s) == -1 && errno == EAGAIN);
    sk_assert(sem_timedwait(&s, &end) == -1 && errno == ETIMEDOUT && sem_post(&s) == 0 && sem_wait(&s) == 0);
    sk_assert(sem_post(&s) == 0 && sem_post(&s) == 0 && sem_trywait(&s) == 0 && sem_getvalue(&s, &value) == 0 && value == 1);
    sk_assert(sem_timedwait(&s, &end) == 0 && sem_destroy(&s) == 0 && sem_init(&s, 0, -1u) == -1);
}
/// holds: sem_wait
{
    sem_t s;
    sem_init(&s, 0, sk_nondet_bool());
    sem_wait(&s);
    sk_assert(sem_trywait(&s) == -1);
}
/// violates deref: sem_destroy sem_post sem_wait sem_trywait
{
    FUNCTION(NULL);
}
/// violates deref: sem_init
{
    sem_init(NULL, 0, 0);
}
/// violates deref: sem_timedwait
{
    sem_t s;
    sem_init(&s, 0, 1);
    sem_timedwait(&s, NULL);
}
/// violates deref: sem_getvalue
{
    sem_t s;
    sem_init(&s, 0, 1);
    sem_getvalue(&s, NULL);
}

/* ---- Threads ---------------------------------------------------------------------------- */

static int runs;
static void run(void) { runs++; }
static void *body(void *argument) { return argument; }
static int body_int(void *argument) { return argument != NULL; }
/// holds: pthread_self pthread_equal sched_yield pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate
///     pthread_attr_setstacksize pthread_setcancelstate pthread_setcanceltype pthread_testcancel
{
    pthread_attr_t a;
    int old = 7;
    sk_assert(pthread_equal(pthread_self(), pthread_self()) && sched_yield() == 0);
    sk_assert(pthread_attr_init(&a) == 0 && pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
    sk_assert(pthread_attr_setstacksize(&a, 1 << 20) == 0 && pthread_attr_destroy(&a) == 0);
    sk_assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    sk_assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    sk_assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0 && pthread_setcanceltype(9, &old) == EINVAL);
    pthread_testcancel();
}
/// violates deref: pthread_setcancelstate pthread_setcanceltype
{
    char small;
    FUNCTION(0, (int *)&small);
}
/// holds: pthread_once call_once
{
    pthread_once_t control = PTHREAD_ONCE_INIT;
    once_flag flag = ONCE_FLAG_INIT;
    sk_assert(pthread_once(&control, run) == 0 && pthread_once(&control, run) == 0 && runs == 1);
    call_once(&flag, run);
    call_once(&flag, run);
    sk_assert(runs == 2);
}
/// violates deref: pthread_once call_once
{
    FUNCTION(NULL, run);
}
/// holds: pthread_key_create pthread_key_delete pthread_getspecific pthread_setspecific
{
    pthread_key_t key, other;
    sk_assert(pthread_key_create(&key, NULL) == 0 && pthread_key_create(&other, NULL) == 0 && !pthread_getspecific(key));
    sk_assert(pthread_setspecific(key, &key) == 0 && pthread_getspecific(key) == &key && !pthread_getspecific(other));
    sk_assert(pthread_key_delete(key) == 0 && pthread_setspecific(77, &key) != 0);
}
/// violates deref: pthread_key_create
{
    pthread_key_create(NULL, NULL);
}
/// violates unsupported: pthread_key_create
{
    pthread_key_t key;
    for (int i = 0; i < 33; i++)
        pthread_key_create(&key, NULL);
}
static pthread_t thread;
static thrd_t c_thread;
#define call_pthread_create() pthread_create(&thread, NULL, body, NULL)
#define call_pthread_join() pthread_join(pthread_self(), NULL)
#define call_pthread_detach() pthread_detach(pthread_self())
#define call_pthread_cancel() pthread_cancel(pthread_self())
#define call_pthread_kill() pthread_kill(pthread_self(), SIGTERM)
#define call_pthread_exit() pthread_exit(NULL)
#define call_thrd_create() thrd_create(&c_thread, body_int, NULL)
#define call_thrd_join() thrd_join(c_thread, NULL)
/// holds: pthread_create pthread_join pthread_detach pthread_cancel pthread_kill pthread_exit thrd_create thrd_join
{
    if (never())
        call_FUNCTION();
}
/// violates unsupported: pthread_create pthread_join pthread_detach pthread_cancel pthread_kill pthread_exit thrd_create thrd_join
{
    call_FUNCTION();
}

/* ---- Signals and jumps ------------------------------------------------------------------ */

extern sighandler_t __sysv_signal(int, sighandler_t);
extern sighandler_t bsd_signal(int, sighandler_t);
extern int plain_setjmp(void *) __asm__("setjmp"), plain_sigsetjmp(void *, int) __asm__("sigsetjmp");
extern void __longjmp_chk(void *, int), _longjmp(jmp_buf, int);
static void handler(int number) { (void)number; }
/// holds: signal __sysv_signal bsd_signal
{
    sighandler_t old = FUNCTION(SIGINT, SIG_IGN);
    sk_assert(old == SIG_DFL || old == SIG_IGN || old == SIG_ERR);
}
/// violates unsupported: signal __sysv_signal bsd_signal
{
    FUNCTION(SIGINT, handler);
}
/// holds: sigaction
{
    struct sigaction action = {.sa_handler = SIG_IGN}, old;
    if (sigaction(SIGINT, &action, &old) == 0)
        sk_assert(old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN);
    sk_assert(sigaction(SIGINT, NULL, NULL) <= 0);
}
/// violates deref: sigaction
{
    sighandler_t action = SIG_IGN;
    sigaction(SIGINT, (struct sigaction *)&action, NULL);
}
/// violates deref: sigaction
{
    sighandler_t old;
    sigaction(SIGINT, NULL, (struct sigaction *)&old);
}
/// violates unsupported: sigaction
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGINT, &action, NULL);
}
/// holds: raise kill
{
    sk_assert(kill(getpid(), 0) <= 0 && raise(0) <= 0);
    if (never())
        kill(getpid(), SIGTERM);
}
/// violates assert: raise
{
    raise(SIGTERM);
    sk_assert(0);
}
/// holds: sigemptyset sigfillset sigaddset sigdelset sigismember sigprocmask pthread_sigmask
{
    sigset_t set, old;
    sk_assert(sigemptyset(&set) == 0 && sigismember(&set, SIGINT) == 0);
    sk_assert(sigaddset(&set, SIGINT) == 0 && sigismember(&set, SIGINT) == 1 && sigismember(&set, SIGTERM) == 0);
    sk_assert(sigprocmask(SIG_BLOCK, &set, &old) == 0 && pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    sk_assert(sigfillset(&set) == 0 && sigdelset(&set, 40) == 0 && sigismember(&set, 40) == 0 && sigismember(&set, 41) == 1);
    sk_assert(sigaddset(&set, 0) == -1 && sigismember(&set, 1000) == -1);
}
/// violates deref: sigemptyset sigfillset
{
    int small;
    FUNCTION((sigset_t *)&small);
}
/// violates deref: sigaddset sigdelset sigismember
{
    FUNCTION(NULL, SIGINT);
}
/// violates deref: sigprocmask pthread_sigmask
{
    int small = 0;
    FUNCTION(SIG_BLOCK, (sigset_t *)&small, NULL);
}
/// violates deref: sigprocmask pthread_sigmask
{
    int small;
    FUNCTION(SIG_BLOCK, NULL, (sigset_t *)&small);
}
#define call_setjmp(buffer) plain_setjmp(buffer)
#define call__setjmp(buffer) _setjmp(buffer)
#define call_sigsetjmp(buffer) plain_sigsetjmp(buffer, 1)
#define call___sigsetjmp(buffer) __sigsetjmp(buffer, 1)
/// holds: setjmp _setjmp sigsetjmp __sigsetjmp
{
    sigjmp_buf buffer;
    sk_assert(call_FUNCTION(buffer) == 0);
}
/// violates deref: setjmp _setjmp sigsetjmp __sigsetjmp
{
    int small;
    call_FUNCTION((void *)&small);
}
/// holds: longjmp _longjmp siglongjmp __longjmp_chk
{
    jmp_buf buffer;
    if (setjmp(buffer) != 0)
        FUNCTION(buffer, 1);
}
/// violates unsupported: longjmp _longjmp siglongjmp __longjmp_chk
{
    jmp_buf buffer;
    if (setjmp(buffer) == 0)
        FUNCTION(buffer, 1);
}

/* ---- What repeats ----------------------------------------------------------------------- */

extern int __selkie_descriptor_new(void), __selkie_process_id(void);

/// holds: signal __sysv_signal bsd_signal
{
    sighandler_t before = signal(SIGINT, SIG_IGN);
    sk_assert(before == SIG_DFL || before == SIG_IGN);
    sk_assert(FUNCTION(SIGINT, SIG_DFL) == SIG_IGN && FUNCTION(SIGINT, SIG_IGN) == SIG_DFL);
    sk_assert(raise(SIGINT) == 0 && signal(SIGKILL, SIG_IGN) == SIG_ERR && raise(65) == -1);
    signal(SIGABRT, SIG_IGN);
    sk_assert(raise(SIGABRT) == 0);
}
/// holds: kill __selkie_process_id
{
    sk_assert(getpid() == __selkie_process_id());
    signal(SIGTERM, SIG_IGN);
    sk_assert(kill(getpid(), SIGTERM) == 0 && kill(getpid(), 65) == -1);
}
#define call_raise(process, number) raise(number)
#define call_kill kill
/// violates unsupported: raise kill
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_SETMASK, &set, NULL);
    signal(SIGTERM, SIG_DFL);
    call_FUNCTION(getpid(), SIGTERM);
}
/// holds: sigaction sigprocmask
{
    struct sigaction action = {.sa_handler = SIG_IGN}, old;
    sk_assert(sigaction(SIGINT, &action, NULL) == 0 && sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == SIG_IGN);
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sk_assert(sigprocmask(SIG_SETMASK, &set, NULL) == 0 && sigprocmask(SIG_UNBLOCK, &set, &before) == 0);
    sk_assert(sigismember(&before, SIGINT) && !sigismember(&before, SIGTERM));
    sk_assert(sigprocmask(SIG_BLOCK, NULL, &before) == 0 && !sigismember(&before, SIGINT));
}
/// holds: socketpair __selkie_descriptor_new
{
    int ends[2], fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        sk_assert(ends[0] != ends[1] && ends[0] != fd && ends[1] != fd && __selkie_descriptor_new() != fd);
}
/// holds: time
{
    time_t first = time(NULL), second = time(NULL);
    sk_assert(first >= 0 && second >= first && (sizeof(long) == 4 || second + 3600 > first));
}
/// holds: gettimeofday timespec_get
{
    struct timeval now, later;
    gettimeofday(&now, NULL);
    gettimeofday(&later, NULL);
    sk_assert(now.tv_sec >= 0 && (later.tv_sec > now.tv_sec || (later.tv_sec == now.tv_sec && later.tv_usec >= now.tv_usec)));
    struct timespec spec;
    sk_assert(timespec_get(&spec, TIME_UTC) == TIME_UTC && spec.tv_sec >= later.tv_sec);
}
/// holds: clock_gettime clock
{
    struct timespec one, two;
    sk_assert(clock_gettime(CLOCK_MONOTONIC, &one) == 0 && clock_gettime(CLOCK_MONOTONIC, &two) == 0);
    sk_assert(two.tv_sec > one.tv_sec || (two.tv_sec == one.tv_sec && two.tv_nsec >= one.tv_nsec));
    clock_t start = clock();
    sk_assert(clock() >= start);
}
/// violates assert: time
{
    time_t first = time(NULL);
    sk_assert(time(NULL) == first);
}
