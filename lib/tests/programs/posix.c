/* As string.c: files, folders, descriptors, processes, users, and what the system tells of itself. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <selkie.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern ssize_t __read_chk(int, void *, size_t, size_t), __pread_chk(int, void *, size_t, off_t, size_t);
extern ssize_t __readlink_chk(const char *, char *, size_t, size_t);
extern char *__getcwd_chk(char *, size_t, size_t);
extern int __xstat(int, const char *, struct stat *), __lxstat(int, const char *, struct stat *), __fxstat(int, int, struct stat *);

/* Never true, but that is not easy to see: what is not reached may be wrong. */
static int never(void) {
    unsigned x = sk_nondet_uint();
    return x * x % 4 == 2;
}

/* ---- Files ------------------------------------------------------------------------------ */

#define call_unlink unlink
#define call_rmdir rmdir
#define call_chdir chdir
#define call_mkdir(path) mkdir(path, 0777)
#define call_mkfifo(path) mkfifo(path, 0666)
#define call_chmod(path) chmod(path, 0666)
#define call_access(path) access(path, R_OK)
#define call_truncate(path) truncate(path, 0)
#define call_link(path) link("path", path)
#define call_symlink(path) symlink("path", path)
#define call_chown(path) chown(path, 1, 1)
#define call_lchown(path) lchown(path, 1, 1)
/// holds: unlink rmdir chdir mkdir mkfifo chmod access truncate link symlink chown lchown
{
    errno = 0;
    int result = call_FUNCTION("path");
    sk_assert(result == 0 || (result == -1 && errno > 0));
}
/// violates deref: unlink rmdir chdir mkdir mkfifo chmod access truncate link symlink chown lchown
{
    char open[2] = {'a', 'b'};
    call_FUNCTION(open);
}
/// violates deref: unlink rmdir chdir mkdir mkfifo chmod access truncate link symlink chown lchown
{
    call_FUNCTION(NULL);
}
/// violates deref: link symlink
{
    FUNCTION(NULL, "path");
}
/// violates assert: unlink
{
    sk_assert(unlink("path") == 0);
}
/// holds: fchmod fchown umask
{
    sk_assert(fchmod(1, 0666) <= 0 && fchown(1, 1, 1) >= -1);
    sk_assert(umask(022) <= 0777);
}
#define call_getcwd getcwd
#define call___getcwd_chk(to, n) __getcwd_chk(to, n, 16)
/// holds: getcwd __getcwd_chk
{
    char a[16];
    if (call_FUNCTION(a, 16))
        sk_assert(strlen(a) < 16);
    char *p = call_FUNCTION(NULL, 0);
    sk_assert(!p || strlen(p) < 4096);
    free(p);
    p = call_FUNCTION(NULL, 16);
    sk_assert(!p || strlen(p) < 16);
    free(p);
}
/// violates deref: getcwd __getcwd_chk
{
    char a[15];
    call_FUNCTION(a, 16);
}
/// violates deref: __getcwd_chk
{
    char a[20];
    call___getcwd_chk(a, 17);
}
/// violates leak: getcwd __getcwd_chk
{
    call_FUNCTION(NULL, 0);
}
#define call_readlink readlink
#define call___readlink_chk(path, to, n) __readlink_chk(path, to, n, 16)
/// holds: readlink __readlink_chk
{
    char a[17] = "";
    ssize_t n = call_FUNCTION("path", a, 16);
    sk_assert(n >= -1 && n <= 16 && a[16] == 0);
}
/// violates deref: readlink __readlink_chk
{
    char a[15];
    call_FUNCTION("path", a, 16);
}
/// violates deref: readlink __readlink_chk
{
    char a[16], open[2] = {'a', 'b'};
    call_FUNCTION(open, a, 16);
}
/// violates deref: __readlink_chk
{
    char a[20];
    call___readlink_chk("path", a, 17);
}
/// holds: gethostname
{
    char a[16];
    sk_assert(gethostname(a, 16) <= 0);
}
/// violates deref: gethostname
{
    char a[16];
    gethostname(a, 17);
}
#define call_stat(result) stat("path", (struct stat *)(result))
#define call_lstat(result) lstat("path", (struct stat *)(result))
#define call_fstat(result) fstat(0, (struct stat *)(result))
#define call_stat64(result) stat64("path", (struct stat64 *)(result))
#define call_lstat64(result) lstat64("path", (struct stat64 *)(result))
#define call_fstat64(result) fstat64(0, (struct stat64 *)(result))
#define call___xstat(result) __xstat(1, "path", (struct stat *)(result))
#define call___lxstat(result) __lxstat(1, "path", (struct stat *)(result))
#define call___fxstat(result) __fxstat(1, 0, (struct stat *)(result))
/// holds: stat lstat fstat __xstat __lxstat __fxstat
{
    struct stat s;
    errno = 0;
    int result = call_FUNCTION(&s);
    sk_assert(result == 0 || (result == -1 && errno > 0));
}
/// holds: stat64 lstat64 fstat64
{
    struct stat64 s;
    int result = call_FUNCTION(&s);
    sk_assert(result == 0 || result == -1);
}
/// violates deref: stat lstat fstat __xstat __lxstat __fxstat stat64 lstat64 fstat64
{
    char s[sizeof(struct stat) - 1];
    call_FUNCTION(s);
}
/// violates deref: stat lstat stat64 lstat64
{
    char open[2] = {'a', 'b'};
    struct stat64 s;
    FUNCTION(open, (void *)&s);
}

/* ---- Folders ---------------------------------------------------------------------------- */

/* A folder that is open; one that is closed. */
static DIR *some(void) {
    DIR *folder = opendir("path");
    if (!folder)
        exit(1);
    return folder;
}

static DIR *closed(void) {
    DIR *folder = some();
    closedir(folder);
    return folder;
}

/// holds: opendir fdopendir readdir readdir64 closedir rewinddir dirfd
{
    DIR *folder = sk_nondet_bool() ? opendir("path") : fdopendir(3);
    if (folder) {
        struct dirent *entry = readdir(folder);
        if (entry)
            sk_assert(entry->d_name[0] && strlen(entry->d_name) <= 255);
        rewinddir(folder);
        struct dirent64 *large = readdir64(folder);
        if (large)
            sk_assert(large->d_name[0] && strlen(large->d_name) <= 255);
        sk_assert(dirfd(folder) >= 0);
        sk_assert(closedir(folder) <= 0);
    }
}
/// violates deref: opendir
{
    char open[2] = {'a', 'b'};
    opendir(open);
}
/// violates deref: readdir readdir64 closedir rewinddir dirfd
{
    FUNCTION(closed());
}
/// violates deref: readdir
{
    DIR *folder = some();
    struct dirent *entry = readdir(folder);
    closedir(folder);
    if (entry)
        sk_assert(entry->d_name[0]);
}
/// violates free: closedir
{
    DIR *folder = some();
    free(readdir(folder));
    closedir(folder);
}
/// violates deref: readdir64
{
    DIR *folder = some();
    struct dirent64 *entry = readdir64(folder);
    closedir(folder);
    if (entry)
        sk_assert(entry->d_name[0]);
}
/// violates deref: readdir readdir64 closedir rewinddir dirfd
{
    FUNCTION(NULL);
}
/// violates unsupported: fdopendir
{
    for (int n = 0; n < 5;)
        n += fdopendir(3) != NULL;
}

/* ---- Descriptors ------------------------------------------------------------------------ */

#define call_read(to, n) read(0, to, n)
#define call_pread(to, n) pread(0, to, n, 0)
#define call_pread64(to, n) pread64(0, to, n, 0)
#define call___read_chk(to, n) __read_chk(0, to, n, 8)
#define call___pread_chk(to, n) __pread_chk(0, to, n, 0, 8)
/// holds: read pread pread64 __read_chk __pread_chk
{
    char a[9] = "";
    errno = 0;
    ssize_t n = call_FUNCTION(a, 8);
    sk_assert(n >= -1 && n <= 8 && a[8] == 0 && (n >= 0 || errno > 0));
    if (n == 0)
        sk_assert(a[0] == 0);
}
/// violates deref: read pread pread64 __read_chk __pread_chk
{
    char a[7];
    call_FUNCTION(a, 8);
}
/// violates deref: __read_chk __pread_chk
{
    char a[10];
    call_FUNCTION(a, 9);
}
/// violates assert: read pread pread64 __read_chk __pread_chk
{
    char c = 'a';
    if (call_FUNCTION(&c, 1) == 1)
        sk_assert(c == 'a');
}
#define call_write(from, n) write(1, from, n)
#define call_pwrite(from, n) pwrite(1, from, n, 0)
#define call_pwrite64(from, n) pwrite64(1, from, n, 0)
/// holds: write pwrite pwrite64
{
    ssize_t n = call_FUNCTION("abc", 3);
    sk_assert(n >= -1 && n <= 3);
}
/// violates deref: write pwrite pwrite64
{
    char a[2] = "a";
    call_FUNCTION(a, 3);
}
/// holds: readv writev
{
    char a[4] = "", b[5] = "";
    struct iovec parts[2] = {{a, 4}, {b, 4}};
    ssize_t n = readv(0, parts, 2);
    sk_assert(n >= -1 && n <= 8 && b[4] == 0 && (n > 4 || b[0] == 0));
    n = writev(1, parts, 2);
    sk_assert(n >= -1 && n <= 8);
}
/// violates deref: readv writev
{
    char a[4] = "", b[4] = "";
    struct iovec parts[2] = {{a, 4}, {b, 5}};
    FUNCTION(0, parts, 2);
}
/// violates deref: readv writev
{
    char a[4] = "";
    struct iovec parts[1] = {{a, 4}};
    FUNCTION(0, parts, 2);
}
#define call_open(path) open(path, O_RDONLY)
#define call_open64(path) open64(path, O_CREAT, 0666)
#define call_creat(path) creat(path, 0666)
#define call_creat64(path) creat64(path, 0666)
/// holds: open open64 creat creat64
{
    int fd = call_FUNCTION("file");
    sk_assert(fd >= -1);
    close(fd);
}
/// violates deref: open open64 creat creat64
{
    char path[2] = {'a', 'b'};
    call_FUNCTION(path);
}
/// holds: dup dup2 close fsync fdatasync sync fchdir ftruncate ftruncate64 lseek lseek64 isatty
{
    sk_assert(dup(1) >= -1);
    int fd = dup2(1, 5);
    sk_assert(fd == 5 || fd == -1);
    sk_assert(fsync(1) <= 0 && fdatasync(1) <= 0 && fchdir(1) <= 0 && ftruncate(1, 0) <= 0 && ftruncate64(1, 0) <= 0);
    sync();
    sk_assert(lseek(1, 0, SEEK_SET) >= -1 && lseek64(1, 0, SEEK_SET) >= -1);
    int terminal = isatty(1);
    sk_assert(terminal == 0 || terminal == 1);
    errno = 0;
    sk_assert(close(1) == 0 || errno > 0);
}
/// violates assert: close
{
    sk_assert(close(1) == 0);
}
/// holds: pipe
{
    int ends[2];
    if (pipe(ends) == 0)
        sk_assert(ends[0] >= 0 && ends[1] >= 0);
}
/// violates deref: pipe
{
    int end;
    pipe(&end);
}
/// holds: select pselect
{
    fd_set in, out;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(3, &in);
    struct timeval time = {5, 0};
    int n = select(4, &in, &out, NULL, &time);
    if (n >= 0)
        sk_assert(!FD_ISSET(4, &in) && !FD_ISSET(3, &out) && (n > 0) == (FD_ISSET(3, &in) != 0));
    sk_assert(time.tv_sec >= 0 && time.tv_sec <= 5);
    struct timespec limit = {5, 0};
    sk_assert(pselect(4, &in, &out, NULL, &limit, NULL) >= -1);
    sk_assert(select(0, NULL, NULL, NULL, NULL) <= 0);
}
/// violates deref: select
{
    int set = 0;
    select(4, (fd_set *)&set, NULL, NULL, NULL);
}
/// violates deref: pselect
{
    int set = 0;
    pselect(4, NULL, (fd_set *)&set, NULL, NULL, NULL);
}
/// violates deref: select
{
    struct timeval *none = (struct timeval *)sk_nondet_pointer();
    sk_assume(!sk_is_alloc(none) && none);
    select(0, NULL, NULL, NULL, none);
}
/// violates deref: pselect
{
    long time = 0;
    pselect(0, NULL, NULL, NULL, (struct timespec *)&time, NULL);
}
/// holds: poll
{
    struct pollfd all[2] = {{1, POLLIN, 0}, {-1, POLLIN, 0}};
    int n = poll(all, 2, 100);
    sk_assert(n >= -1 && n <= 1);
    if (n == 0)
        sk_assert(all[0].revents == 0);
    if (n >= 0)
        sk_assert(all[1].revents == 0 && !(all[0].revents & POLLOUT));
}
/// violates deref: poll
{
    struct pollfd one = {1, POLLIN, 0};
    poll(&one, 2, 100);
}
/// holds: fcntl fcntl64
{
    struct flock lock = {0};
    int flags = FUNCTION(1, F_GETFL);
    sk_assert(flags >= -1 && FUNCTION(1, F_SETFL, O_NONBLOCK) <= 0 && FUNCTION(1, F_DUPFD, 3) >= -1);
    sk_assert(FUNCTION(1, F_SETLK, &lock) <= 0 && FUNCTION(1, F_GETLK, &lock) <= 0);
}
/// violates deref: fcntl fcntl64
{
    FUNCTION(1, F_SETLK, NULL);
}
/// violates deref: fcntl fcntl64
{
    int lock = 0;
    FUNCTION(1, F_GETLK, &lock);
}
/// violates unsupported: fcntl fcntl64
{
    FUNCTION(1, 12345);
}

/* ---- Processes: not modelled, but unreached they hold ----------------------------------- */

static int child(void *argument) { return argument == NULL; }
static char *const texts[] = {(char *)"a", NULL};
#define call_fork() fork()
#define call_vfork() vfork()
#define call_clone() clone(child, NULL, 0, NULL)
#define call_wait() wait(NULL)
#define call_waitpid() waitpid(1, NULL, 0)
#define call_execl() execl("a", "b", NULL)
#define call_execlp() execlp("a", "b", NULL)
#define call_execle() execle("a", "b", NULL, NULL)
#define call_execv() execv("a", texts)
#define call_execvp() execvp("a", texts)
#define call_execve() execve("a", texts, texts)
#define call_ioctl() ioctl(1, 1UL)
#define call_mmap() mmap(NULL, 1, 0, 0, 0, 0)
#define call_munmap() munmap(NULL, 1)
#define call_sbrk() sbrk(1)
#define call_dlopen() dlopen("a", 0)
#define call_dlsym() dlsym(NULL, "a")
/// holds: fork vfork clone wait waitpid execl execlp execle execv execvp execve ioctl mmap munmap sbrk dlopen dlsym
{
    if (never())
        call_FUNCTION();
}
/// violates unsupported: fork vfork clone wait waitpid execl execlp execle execv execvp execve ioctl mmap munmap sbrk dlopen dlsym
{
    call_FUNCTION();
}
/// holds: _exit _Exit
{
    FUNCTION(1);
    sk_assert(0);
}
/// violates leak: _exit _Exit
{
    char *p = malloc(4);
    p[0] = 1;
    p = NULL;
    FUNCTION(1);
}

/* ---- Users and limits ------------------------------------------------------------------- */

/// holds: getpid getppid getpgrp getpgid getsid setsid setpgid getuid geteuid getgid getegid setuid setgid seteuid setegid
///     getpagesize sysconf
{
    sk_assert(getpid() > 0 && getppid() >= 0 && getpgrp() > 0);
    sk_assert(getpgid(0) != 0 && getsid(0) != 0 && setsid() != 0 && setpgid(0, 0) <= 0);
    unsigned ids = getuid() | geteuid() | getgid() | getegid();
    sk_assert(setuid(ids) <= 0 && setgid(ids) <= 0 && seteuid(ids) <= 0 && setegid(ids) <= 0);
    sk_assert(getpagesize() == 4096 && sysconf(_SC_OPEN_MAX) >= -1);
}
/// violates assert: getuid
{
    sk_assert(getuid() != 0);
}
/// holds: uname getrlimit setrlimit getrusage times
{
    struct utsname names;
    if (uname(&names) == 0)
        sk_assert(strlen(names.sysname) < sizeof names.sysname && strlen(names.machine) < sizeof names.machine);
    struct rlimit pair;
    if (getrlimit(RLIMIT_NOFILE, &pair) == 0)
        sk_assert(setrlimit(RLIMIT_NOFILE, &pair) <= 0);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        sk_assert(usage.ru_utime.tv_sec >= 0 && usage.ru_utime.tv_usec < 1000000);
    struct tms four;
    times(&four);
    times(NULL);
}
/// violates deref: uname
{
    char names[sizeof(struct utsname) - 1];
    uname((struct utsname *)names);
}
/// violates deref: getrlimit setrlimit
{
    int pair = 0;
    FUNCTION(RLIMIT_NOFILE, (struct rlimit *)&pair);
}
/// violates deref: getrusage
{
    struct timeval usage[2];
    getrusage(RUSAGE_SELF, (struct rusage *)usage);
}
/// violates deref: times
{
    clock_t one;
    times((struct tms *)&one);
}

/* ---- What repeats ----------------------------------------------------------------------- */

/// holds: getpid umask getuid geteuid getgid getegid seteuid setegid sysconf setsid
{
    sk_assert(getpid() == getpid());
    umask(022);
    sk_assert(umask(077) == 022 && umask(0) == 077);
    sk_assert(getuid() == getuid() && geteuid() == geteuid() && getgid() == getgid() && getegid() == getegid());
    if (seteuid(7) == 0)
        sk_assert(geteuid() == 7);
    if (setegid(7) == 0)
        sk_assert(getegid() == 7);
    long a = sysconf(_SC_OPEN_MAX), b = sysconf(_SC_NPROCESSORS_CONF);
    sk_assert(sysconf(_SC_OPEN_MAX) == a && sysconf(_SC_NPROCESSORS_CONF) == b && sysconf(_SC_PAGESIZE) == getpagesize());
    int session = setsid();
    sk_assert(session == -1 || session == getpid());
}
/// violates assert: umask
{
    sk_assert(umask(0) == 022);
}
/// violates assert: sysconf
{
    sk_assert(sysconf(_SC_OPEN_MAX) == sysconf(_SC_NPROCESSORS_CONF));
}
/// holds: open creat dup pipe opendir dirfd lseek
{
    int one = open("a", O_RDONLY), two = creat("b", 0666), three = dup(0), ends[2];
    sk_assert(one == -1 || two == -1 || one != two);
    sk_assert(one == -1 || three == -1 || one != three);
    if (pipe(ends) == 0)
        sk_assert(ends[0] != ends[1] && ends[0] != one && ends[0] > 2);
    DIR *folder = opendir(".");
    if (folder)
        sk_assert(dirfd(folder) == dirfd(folder) && (one == -1 || dirfd(folder) != one));
    off_t at = lseek(one, 5, SEEK_SET);
    sk_assert(at == 5 || at == -1);
    sk_assert(lseek(one, -5, SEEK_SET) == -1);
}
/// violates assert: open
{
    int fd = open("a", O_RDONLY);
    sk_assert(fd == -1 || fd == 3);
}
/// holds: readdir readdir64
{
    DIR *folder = opendir(".");
    if (folder) {
        struct dirent *entry = readdir(folder);
        if (entry)
            sk_assert(entry->d_name[0] && !strchr(entry->d_name, '/') && offsetof(struct dirent, d_name) + strlen(entry->d_name) < entry->d_reclen);
        errno = 0;
        if (!readdir(folder) && errno == 0)
            sk_assert(!readdir(folder) && !readdir64(folder));
    }
}
/// holds: getcwd gethostname uname
{
    char one[64], two[64];
    if (getcwd(one, 64) && getcwd(two, 64))
        sk_assert(!strcmp(one, two) && one[0] == '/');
    if (gethostname(one, 64) == 0 && gethostname(two, 64) == 0)
        sk_assert(strlen(one) < 64 && !strcmp(one, two));
    struct utsname system, again;
    if (uname(&system) == 0 && uname(&again) == 0)
        sk_assert(!strcmp(system.release, again.release));
}
/// violates assert: gethostname
{
    char name[8] = "";
    sk_assert(gethostname(name, 8) == 0);
}
