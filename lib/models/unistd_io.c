/* unistd_io.c: file descriptors. What is read is any bytes; each call may fail. */
#include "system.h"
#include "text.h"

MODEL ssize_t read(int fd, void *to, size_t n) { return system_read_from(fd, to, n); }
MODEL ssize_t write(int fd, const void *from, size_t n) { return system_write_to(fd, from, n); }

MODEL ssize_t __read_chk(int fd, void *to, size_t n, size_t size) {
    system_fits(n, size);
    return system_read_from(fd, to, n);
}

MODEL ssize_t pread(int fd, void *to, size_t n, long offset) {
    return (void)offset, system_read_from(fd, to, n);
}

MODEL ssize_t pread64(int fd, void *to, size_t n, long long offset) {
    return (void)offset, system_read_from(fd, to, n);
}

MODEL ssize_t __pread_chk(int fd, void *to, size_t n, long offset, size_t size) {
    (void)offset;
    system_fits(n, size);
    return system_read_from(fd, to, n);
}

MODEL ssize_t pwrite(int fd, const void *from, size_t n, long offset) {
    return (void)offset, system_write_to(fd, from, n);
}

MODEL ssize_t pwrite64(int fd, const void *from, size_t n, long long offset) {
    return (void)offset, system_write_to(fd, from, n);
}

/* Several buffers, one after the other. */
struct unistd_io_part {
    void *start;
    size_t size;
};

MODEL ssize_t readv(int fd, const struct unistd_io_part *parts, int count) {
    size_t total = 0;
    _Bool own = system_own(fd);
    for (int i = 0; i < count; i++) {
        check_write(parts[i].start, parts[i].size, "readv: the buffers have as many bytes as they are said to have");
        total += parts[i].size;
    }
    ssize_t got = system_count(total);
    size_t left = got > 0 ? got : 0;
    for (int i = 0; i < count; i++) {
        size_t here = left < parts[i].size ? left : parts[i].size;
        if (own)
            rough_bytes(parts[i].start, here);
        else
            __selkie_havoc(parts[i].start, here);
        left -= here;
    }
    return got;
}

MODEL ssize_t writev(int fd, const struct unistd_io_part *parts, int count) {
    size_t total = 0;
    if (fd > 2)
        __selkie_io.wrote = 1;
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

/* One that is open and its own copy cannot fail; which ones are open is not known. */
MODEL int dup2(int from, int to) {
    if (from == to)
        return from >= 0 && rough_bool() ? to : system_failed();
    if (system_status() != 0)
        return -1;
    __selkie_io.closed = 1;
    return to;
}

MODEL int close(int fd) {
    (void)fd;
    __selkie_io.closed = 1;
    return system_status();
}

MODEL int fsync(int fd) { return (void)fd, system_status(); }
MODEL int fdatasync(int fd) { return (void)fd, system_status(); }
MODEL void sync(void) {}
MODEL int ftruncate(int fd, long length) { return (void)fd, (void)length, system_status(); }
MODEL int ftruncate64(int fd, long long length) { return (void)fd, (void)length, system_status(); }

MODEL int pipe(int *ends) {
    return system_descriptors(ends);
}

/* From the start, the position is known. The size of a file is anybody's guess, but only once. */
static long long unistd_io_seek(long long offset, int whence) {
    static _Bool asked;
    if (whence == 0 && offset < 0) {
        errno = EINVAL;
        return -1;
    }
    if (any_bool())
        return system_failed();
    if (__selkie_io.read)
        __selkie_io.wrote = 1; /* What it has read comes again. */
    if (whence == 0)
        return offset;
    long long most = sizeof(long) == 8 ? 9223372036854775807 : 2147483647;
    long long result = whence == 2 && !__selkie_io.wrote && system_first(asked) ? any_longlong() : rough_longlong();
    sk_assume(result >= 0 && result <= most);
    return result;
}

MODEL long lseek(int fd, long offset, int whence) { return (void)fd, (long)unistd_io_seek(offset, whence); }
MODEL long long lseek64(int fd, long long offset, int whence) { return (void)fd, unistd_io_seek(offset, whence); }

MODEL int isatty(int fd) {
    static _Bool asked;
    (void)fd;
    if (system_first(asked) ? any_bool() : rough_bool())
        return 1;
    system_failed();
    return 0;
}
