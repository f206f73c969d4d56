/* system.h: what calls of the system have in common: each may fail, and errno tells why. */
#ifndef SELKIE_MODELS_SYSTEM_H
#define SELKIE_MODELS_SYSTEM_H

#include <selkie/model.h>

/* The call fails for any reason. */
static inline __attribute__((unused)) int system_failed(void) {
    errno = 1 + any_uchar() % 133;
    return -1;
}

/* 0, or -1. */
static inline __attribute__((unused)) int system_status(void) {
    return any_bool() ? 0 : system_failed();
}

/* What is remembered of descriptors: see system_state.c. */
struct system_io {
    int last;      /* The highest one so far. */
    _Bool closed;  /* One was closed, and its number may come again. */
    _Bool wrote;   /* The program wrote a file, which it may read again. */
    _Bool network; /* Somebody else answers to what it writes. */
    _Bool own;     /* It reads what it wrote: a pipe. */
    _Bool read;    /* It read a file. */
};
extern struct system_io __selkie_io;

/* A new file descriptor: the lowest that is free, above all others as long as none was closed. */
int __selkie_descriptor_new(void);

/* A new file descriptor, or -1. */
static inline __attribute__((unused)) int system_descriptor(void) {
    if (any_bool() || (!__selkie_io.closed && __selkie_io.last >= 1023))
        return system_failed();
    return __selkie_descriptor_new();
}

/* Two of them, as pipes have; or -1. */
static inline __attribute__((unused)) int system_descriptors(int *ends) {
    check_write(ends, 2 * sizeof(int), "both descriptors are writable");
    if (any_bool() || (!__selkie_io.closed && __selkie_io.last >= 1022))
        return system_failed();
    __selkie_io.own = 1;
    ends[0] = __selkie_descriptor_new();
    ends[1] = __selkie_descriptor_new();
    sk_assume(ends[0] != ends[1]);
    return 0;
}

/* Is what the descriptor yields perhaps what the program itself has written? */
static inline __attribute__((unused)) _Bool system_own(int fd) {
    return __selkie_io.own || (fd != 0 && __selkie_io.wrote && !__selkie_io.network);
}

/* Is it asked for the first time? What repeats is known only roughly afterwards. */
#define system_first(asked) (!(asked) && ((asked) = 1))

/* At most n bytes, or -1. */
static inline __attribute__((unused)) ssize_t system_count(size_t n) {
    if (any_bool())
        return system_failed();
    size_t count = any_size();
    sk_assume(count <= n && (ssize_t)count >= 0);
    return count;
}

/* Reads into the caller's array. */
static inline __attribute__((unused)) ssize_t system_read(void *to, size_t n) {
    check_write(to, n, "the buffer has as many bytes as it is said to have");
    ssize_t count = system_count(n);
    if (count > 0)
        __selkie_havoc(to, count);
    return count;
}

/* The same from a descriptor that may yield what the program has written. */
static inline __attribute__((unused)) ssize_t system_read_from(int fd, void *to, size_t n) {
    if (!system_own(fd)) {
        if (fd != 0)
            __selkie_io.read = 1;
        return system_read(to, n);
    }
    check_write(to, n, "the buffer has as many bytes as it is said to have");
    if (rough_bool())
        return system_failed();
    long count = rough_long();
    sk_assume(count >= 0 && (size_t)count <= n);
    for (size_t i = 0; i < n; i++)
        if (i < (size_t)count)
            ((char *)to)[i] = rough_char();
    return count;
}

/* Writes from the caller's array. */
static inline __attribute__((unused)) ssize_t system_write(const void *from, size_t n) {
    check_read(from, n, "the buffer has as many bytes as it is said to have");
    return system_count(n);
}

/* The same to a descriptor: but for the standard ones, the program may read it again. */
static inline __attribute__((unused)) ssize_t system_write_to(int fd, const void *from, size_t n) {
    if (fd > 2)
        __selkie_io.wrote = 1;
    return system_write(from, n);
}

/* Any contents for an object of the caller's. */
static inline __attribute__((unused)) void system_fill(void *to, size_t n) {
    check_write(to, n, "the result is writable");
    __selkie_havoc(to, n);
}

/* Obligation: the compiler knows of no smaller object than the size that is passed. */
#define system_fits(n, size) __selkie_check((n) <= (size), "deref", "no more bytes than the destination has")

#endif
