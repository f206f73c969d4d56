/* unistd_files.c: the file system as POSIX sees it: each call may fail, and nothing else is known. */
#include "text.h"

static int unistd_files_status(const char *path) {
    text_read(path);
    if (any_bool())
        return 0;
    errno = any_int_in(1, 133);
    return -1;
}

MODEL int unlink(const char *path) { return unistd_files_status(path); }
MODEL int rmdir(const char *path) { return unistd_files_status(path); }
MODEL int chdir(const char *path) { return unistd_files_status(path); }
MODEL int mkdir(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int chmod(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int access(const char *path, int mode) { return (void)mode, unistd_files_status(path); }
MODEL unsigned umask(unsigned mode) { return (void)mode, any_uint() & 0777; }

MODEL char *getcwd(char *to, size_t n) {
    if (!to)
        to = n == 0 ? heap_new(n = 4096) : heap_new(n);
    if (!to || n == 0)
        return NULL;
    check_write(to, n, "getcwd: the array has as many bytes as it is said to have");
    if (any_bool())
        return NULL;
    size_t length = any_size();
    sk_assume(length < n);
    __selkie_havoc(to, length);
    to[length] = 0;
    return to;
}

/* No terminator. */
MODEL ssize_t readlink(const char *path, char *to, size_t n) {
    text_read(path);
    check_write(to, n, "readlink: the array has as many bytes as it is said to have");
    if (any_bool())
        return -1;
    size_t length = any_size();
    sk_assume(length <= n && (ssize_t)length >= 0);
    __selkie_havoc(to, length);
    return length;
}

MODEL int gethostname(char *to, size_t n) {
    check_write(to, n, "gethostname: the array has as many bytes as it is said to have");
    if (any_bool())
        return -1;
    __selkie_havoc(to, n);
    return 0;
}

/* What stat yields: 144 bytes on x86-64, 88 on x86. */
#define UNISTD_FILES_STAT (sizeof(long) == 8 ? 144 : 88)

static int unistd_files_stat(void *result) {
    if (any_bool()) {
        errno = any_int_in(1, 133);
        return -1;
    }
    check_write(result, UNISTD_FILES_STAT, "stat: the result is writable");
    __selkie_havoc(result, UNISTD_FILES_STAT);
    return 0;
}

MODEL int stat(const char *path, void *result) {
    text_read(path);
    return unistd_files_stat(result);
}

MODEL int lstat(const char *path, void *result) {
    text_read(path);
    return unistd_files_stat(result);
}

MODEL int fstat(int fd, void *result) {
    (void)fd;
    return unistd_files_stat(result);
}
