/* unistd_io.c: file descriptors. What is read is any bytes; each call may fail. */
#include "text.h"

#define UNISTD_IO_FILES 1024

static int unistd_io_status(void) {
    if (any_bool())
        return 0;
    errno = any_int_in(1, 133);
    return -1;
}

static int unistd_io_new(void) {
    if (any_bool())
        return any_int_in(0, UNISTD_IO_FILES - 1);
    errno = any_int_in(1, 133);
    return -1;
}

/* At most n bytes, or an error. */
static ssize_t unistd_io_count(size_t n) {
    if (any_bool()) {
        errno = any_int_in(1, 133);
        return -1;
    }
    size_t count = any_size();
    sk_assume(count <= n && (ssize_t)count >= 0);
    return count;
}

static ssize_t unistd_io_read(void *to, size_t n) {
    check_write(to, n, "read: the buffer has as many bytes as it is said to have");
    ssize_t count = unistd_io_count(n);
    if (count > 0)
        __selkie_havoc(to, count);
    return count;
}

static ssize_t unistd_io_write(const void *from, size_t n) {
    check_read(from, n, "write: the buffer has as many bytes as it is said to have");
    return unistd_io_count(n);
}

MODEL ssize_t read(int fd, void *to, size_t n) { return (void)fd, unistd_io_read(to, n); }
MODEL ssize_t write(int fd, const void *from, size_t n) { return (void)fd, unistd_io_write(from, n); }

MODEL ssize_t __read_chk(int fd, void *to, size_t n, size_t size) {
    return (void)fd, (void)size, unistd_io_read(to, n);
}

MODEL ssize_t pread(int fd, void *to, size_t n, long offset) {
    return (void)fd, (void)offset, unistd_io_read(to, n);
}

MODEL ssize_t pwrite(int fd, const void *from, size_t n, long offset) {
    return (void)fd, (void)offset, unistd_io_write(from, n);
}

MODEL int open(const char *path, int flags, ...) {
    (void)flags;
    text_read(path);
    return unistd_io_new();
}

MODEL int open64(const char *path, int flags, ...) {
    (void)flags;
    text_read(path);
    return unistd_io_new();
}

MODEL int creat(const char *path, unsigned mode) {
    (void)mode;
    text_read(path);
    return unistd_io_new();
}

MODEL int dup(int fd) { return (void)fd, unistd_io_new(); }

MODEL int dup2(int from, int to) {
    (void)from;
    return unistd_io_status() == 0 ? to : -1;
}

MODEL int close(int fd) { return (void)fd, unistd_io_status(); }
MODEL int fsync(int fd) { return (void)fd, unistd_io_status(); }
MODEL int ftruncate(int fd, long length) { return (void)fd, (void)length, unistd_io_status(); }

MODEL int pipe(int *ends) {
    if (unistd_io_status() != 0)
        return -1;
    ends[0] = any_int_in(0, UNISTD_IO_FILES - 1);
    ends[1] = any_int_in(0, UNISTD_IO_FILES - 1);
    return 0;
}

MODEL long lseek(int fd, long offset, int whence) {
    (void)fd, (void)offset, (void)whence;
    long result = any_long();
    sk_assume(result >= -1);
    return result;
}

MODEL int isatty(int fd) { return (void)fd, any_bool(); }
