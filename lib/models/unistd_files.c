/* unistd_files.c: the file system as POSIX sees it: each call may fail, and nothing else is known. */
#include "system.h"
#include "text.h"

static int unistd_files_status(const char *path) {
    text_read(path);
    return system_status();
}

static int unistd_files_status_2(const char *from, const char *to) {
    text_read(from);
    return unistd_files_status(to);
}

MODEL int unlink(const char *path) { return unistd_files_status(path); }
MODEL int rmdir(const char *path) { return unistd_files_status(path); }
MODEL int chdir(const char *path) { return unistd_files_status(path); }
MODEL int mkdir(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int mkfifo(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int chmod(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int fchmod(int fd, unsigned mode) { return (void)fd, (void)mode, system_status(); }
MODEL int access(const char *path, int mode) { return (void)mode, unistd_files_status(path); }
MODEL int truncate(const char *path, long length) { return (void)length, unistd_files_status(path); }
MODEL int link(const char *from, const char *to) { return unistd_files_status_2(from, to); }
MODEL int symlink(const char *from, const char *to) { return unistd_files_status_2(from, to); }
MODEL unsigned umask(unsigned mode) { return (void)mode, any_uint() & 0777; }

MODEL int chown(const char *path, unsigned owner, unsigned group) {
    return (void)owner, (void)group, unistd_files_status(path);
}

MODEL int lchown(const char *path, unsigned owner, unsigned group) {
    return (void)owner, (void)group, unistd_files_status(path);
}

MODEL int fchown(int fd, unsigned owner, unsigned group) {
    return (void)fd, (void)owner, (void)group, system_status();
}

/* In the caller's array, or in a new heap object: of `n` bytes, or of as many as are needed. */
static char *unistd_files_folder(char *to, size_t n) {
    if (to && n > 0)
        check_write(to, n, "getcwd: the array has as many bytes as it is said to have");
    if (system_status() != 0)
        return NULL;
    if (to && n == 0) {
        errno = EINVAL;
        return NULL;
    }
    size_t length = any_size();
    sk_assume(length >= 1 && length < (n > 0 ? n : 4096));
    if (!to)
        to = heap_new(n > 0 ? n : length + 1);
    if (!to)
        return NULL;
    __selkie_havoc(to, length);
    to[length] = 0;
    return to;
}

MODEL char *getcwd(char *to, size_t n) { return unistd_files_folder(to, n); }

MODEL char *__getcwd_chk(char *to, size_t n, size_t size) {
    system_fits(n, size);
    return unistd_files_folder(to, n);
}

/* No terminator. */
static ssize_t unistd_files_link(const char *path, char *to, size_t n) {
    text_read(path);
    return system_read(to, n);
}

MODEL ssize_t readlink(const char *path, char *to, size_t n) { return unistd_files_link(path, to, n); }

MODEL ssize_t __readlink_chk(const char *path, char *to, size_t n, size_t size) {
    system_fits(n, size);
    return unistd_files_link(path, to, n);
}

MODEL int gethostname(char *to, size_t n) {
    check_write(to, n, "gethostname: the array has as many bytes as it is said to have");
    if (system_status() != 0)
        return -1;
    __selkie_havoc(to, n);
    return 0;
}

/* What stat yields: 144 bytes on x86-64, 88 on x86, there 96 with large offsets. */
#define UNISTD_FILES_STAT (sizeof(long) == 8 ? 144 : 88)
#define UNISTD_FILES_STAT64 (sizeof(long) == 8 ? 144 : 96)

static int unistd_files_stat(void *result, size_t n) {
    check_write(result, n, "stat: the result is writable");
    if (system_status() != 0)
        return -1;
    __selkie_havoc(result, n);
    return 0;
}

#define UNISTD_FILES_STAT_PATH(name, size) \
    MODEL int name(const char *path, void *result) { \
        text_read(path); \
        return unistd_files_stat(result, size); \
    }
#define UNISTD_FILES_STAT_VERSION(name, size) \
    MODEL int name(int version, const char *path, void *result) { \
        (void)version; \
        text_read(path); \
        return unistd_files_stat(result, size); \
    }

UNISTD_FILES_STAT_PATH(stat, UNISTD_FILES_STAT)
UNISTD_FILES_STAT_PATH(lstat, UNISTD_FILES_STAT)
UNISTD_FILES_STAT_PATH(stat64, UNISTD_FILES_STAT64)
UNISTD_FILES_STAT_PATH(lstat64, UNISTD_FILES_STAT64)
/* What the functions above were in older libraries. */
UNISTD_FILES_STAT_VERSION(__xstat, UNISTD_FILES_STAT)
UNISTD_FILES_STAT_VERSION(__lxstat, UNISTD_FILES_STAT)

MODEL int fstat(int fd, void *result) { return (void)fd, unistd_files_stat(result, UNISTD_FILES_STAT); }
MODEL int fstat64(int fd, void *result) { return (void)fd, unistd_files_stat(result, UNISTD_FILES_STAT64); }

MODEL int __fxstat(int version, int fd, void *result) {
    return (void)version, (void)fd, unistd_files_stat(result, UNISTD_FILES_STAT);
}
