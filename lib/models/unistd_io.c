/* unistd_io.c: file descriptors. What is read is any bytes; each call may fail. */
#include "system.h"
#include "text.h"

MODEL ssize_t read(int fd, void *to, size_t n) { return (void)fd, system_read(to, n); }
MODEL ssize_t write(int fd, const void *from, size_t n) { return (void)fd, system_write(from, n); }

MODEL ssize_t __read_chk(int fd, void *to, size_t n, size_t size) {
    (void)fd;
    system_fits(n, size);
    return system_read(to, n);
}

MODEL ssize_t pread(int fd, void *to, size_t n, long offset) {
    return (void)fd, (void)offset, system_read(to, n);
}

MODEL ssize_t pread64(int fd, void *to, size_t n, long long offset) {
    return (void)fd, (void)offset, system_read(to, n);
}

MODEL ssize_t __pread_chk(int fd, void *to, size_t n, long offset, size_t size) {
    (void)fd, (void)offset;
    system_fits(n, size);
    return system_read(to, n);
}

MODEL ssize_t pwrite(int fd, const void *from, size_t n, long offset) {
    return (void)fd, (void)offset, system_write(from, n);
}

MODEL ssize_t pwrite64(int fd, const void *from, size_t n, long long offset) {
    return (void)fd, (void)offset, system_write(from, n);
}

/* Several buffers, one after the other. */
struct unistd_io_part {
    void *start;
    size_t size;
};

MODEL ssize_t readv(int fd, const struct unistd_io_part *parts, int count) {
    size_t total = 0;
    (void)fd;
    for (int i = 0; i < count; i++) {
        check_write(parts[i].start, parts[i].size, "readv: the buffers have as many bytes as they are said to have");
        total += parts[i].size;
    }
    ssize_t got = system_count(total);
    size_t left = got > 0 ? got : 0;
    for (int i = 0; i < count; i++) {
        size_t here = left < parts[i].size ? left : parts[i].size;
        __selkie_havoc(parts[i].start, here);
        left -= here;
    }
    return got;
}

MODEL ssize_t writev(int fd, const struct unistd_io_part *parts, int count) {
    size_t total = 0;
    (void)fd;
    for (int i = 0; i < count; i++) {
        check_read(parts[i].start, parts[i].size, "writev: the buffers have as many bytes as they are said to have");
        total += parts[i].size;
    }
    return system_count(total);
}

static int unistd_io_open(const char *path) {
    text_read(path);
    return system_descriptor();
}

MODEL int open(const char *path, int flags, ...) { return (void)flags, unistd_io_open(path); }
MODEL int open64(const char *path, int flags, ...) { return (void)flags, unistd_io_open(path); }
MODEL int creat(const char *path, unsigned mode) { return (void)mode, unistd_io_open(path); }
MODEL int creat64(const char *path, unsigned mode) { return (void)mode, unistd_io_open(path); }
MODEL int dup(int fd) { return (void)fd, system_descriptor(); }

MODEL int dup2(int from, int to) {
    (void)from;
    return system_status() == 0 ? to : -1;
}

MODEL int close(int fd) { return (void)fd, system_status(); }
MODEL int fsync(int fd) { return (void)fd, system_status(); }
MODEL int fdatasync(int fd) { return (void)fd, system_status(); }
MODEL void sync(void) {}
MODEL int fchdir(int fd) { return (void)fd, system_status(); }
MODEL int ftruncate(int fd, long length) { return (void)fd, (void)length, system_status(); }
MODEL int ftruncate64(int fd, long long length) { return (void)fd, (void)length, system_status(); }

MODEL int pipe(int *ends) {
    check_write(ends, 2 * sizeof(int), "pipe: both descriptors are writable");
    if (system_status() != 0)
        return -1;
    ends[0] = any_ushort() % 1024;
    ends[1] = any_ushort() % 1024;
    return 0;
}

MODEL long lseek(int fd, long offset, int whence) {
    (void)fd, (void)offset, (void)whence;
    long result = any_long();
    return result >= 0 ? result : system_failed();
}

MODEL long long lseek64(int fd, long long offset, int whence) {
    (void)fd, (void)offset, (void)whence;
    long long result = any_longlong();
    return result >= 0 ? result : system_failed();
}

MODEL int isatty(int fd) {
    (void)fd;
    if (any_bool())
        return 1;
    system_failed();
    return 0;
}
