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
MODEL int mkdir(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int mkfifo(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int chmod(const char *path, unsigned mode) { return (void)mode, unistd_files_status(path); }
MODEL int fchmod(int fd, unsigned mode) { return (void)fd, (void)mode, system_status(); }
MODEL int access(const char *path, int mode) { return (void)mode, unistd_files_status(path); }
MODEL int truncate(const char *path, long length) { return (void)length, unistd_files_status(path); }
MODEL int link(const char *from, const char *to) { return unistd_files_status_2(from, to); }
MODEL int symlink(const char *from, const char *to) { return unistd_files_status_2(from, to); }

/* Yields the mask before. */
MODEL unsigned umask(unsigned mode) {
    static unsigned mask__shared;
    static _Bool asked;
    unsigned before = system_first(asked) ? any_uint() & 0777 : mask__shared & 0777;
    mask__shared = mode & 0777;
    return before;
}

MODEL int chown(const char *path, unsigned owner, unsigned group) {
    return (void)owner, (void)group, unistd_files_status(path);
}

MODEL int lchown(const char *path, unsigned owner, unsigned group) {
    return (void)owner, (void)group, unistd_files_status(path);
}

MODEL int fchown(int fd, unsigned owner, unsigned group) {
    return (void)fd, (void)owner, (void)group, system_status();
}

/* The current folder has one name, any at the start; known only roughly after it has changed. */
#define UNISTD_FILES_FOLDER 4096
static char unistd_files_name[UNISTD_FILES_FOLDER];
static size_t unistd_files_length;
static _Bool unistd_files__shared_changed;

static int unistd_files_change(void) {
    if (system_status() != 0)
        return -1;
    unistd_files__shared_changed = 1;
    return 0;
}

MODEL int chdir(const char *path) {
    text_read(path);
    return unistd_files_change();
}

MODEL int fchdir(int fd) { return (void)fd, unistd_files_change(); }

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
    size_t length = unistd_files_length;
    if (unistd_files__shared_changed) {
        length = (size_t)rough_int_in(1, UNISTD_FILES_FOLDER - 1);
    } else if (length == 0) {
        length = any_size();
        sk_assume(length >= 1 && length < UNISTD_FILES_FOLDER);
        __selkie_havoc(unistd_files_name, UNISTD_FILES_FOLDER);
        unistd_files_name[0] = '/';
        unistd_files_name[length] = 0;
        unistd_files_length = length;
    }
    if (n > 0 && length >= n) {
        errno = ERANGE;
        return NULL;
    }
    if (!to)
        to = heap_new(n > 0 ? n : length + 1);
    if (!to)
        return NULL;
    if (unistd_files__shared_changed) {
        size_t bound = n > 0 ? n : UNISTD_FILES_FOLDER;
        for (size_t i = 1; i < bound; i++)
            if (i < length)
                to[i] = rough_char();
        to[0] = '/';
        to[length] = 0;
    } else {
        __selkie_memcpy(to, unistd_files_name, length + 1);
    }
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
    static char name[65];
    static _Bool asked;
    check_write(to, n, "gethostname: the array has as many bytes as it is said to have");
    if (system_first(asked))
        __selkie_havoc(name, 64);
    size_t length = text_length(name);
    if (length >= n)
        return errno = 36, -1; /* ENAMETOOLONG */
    for (size_t i = 0; i < 65; i++)
        if (i <= length)
            to[i] = name[i];
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
