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

/* A new file descriptor, or -1. */
static inline __attribute__((unused)) int system_descriptor(void) {
    return any_bool() ? any_ushort() % 1024 : system_failed();
}

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

/* Writes from the caller's array. */
static inline __attribute__((unused)) ssize_t system_write(const void *from, size_t n) {
    check_read(from, n, "the buffer has as many bytes as it is said to have");
    return system_count(n);
}

/* Any contents for an object of the caller's. */
static inline __attribute__((unused)) void system_fill(void *to, size_t n) {
    check_write(to, n, "the result is writable");
    __selkie_havoc(to, n);
}

/* Obligation: the compiler knows of no smaller object than the size that is passed. */
#define system_fits(n, size) __selkie_check((n) <= (size), "deref", "no more bytes than the destination has")

#endif
