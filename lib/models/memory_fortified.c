/* memory_fortified.c: the variants that get the destination's size from the compiler. Writing past
 * it aborts in reality and is an obligation here. */
#include <selkie/model.h>

#define memory_fortified_fits(n, size) \
    __selkie_check((n) <= (size), "deref", "no more bytes than the destination has")

MODEL void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
    memory_fortified_fits(n, size);
    check_read(from, n, "memcpy: the source is readable");
    check_write(to, n, "memcpy: the destination is writable");
    __selkie_check(__selkie_is_disjoint(to, from, n), "overlap", "memcpy between overlapping ranges");
    __selkie_memcpy(to, from, n);
    return to;
}

MODEL void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
    memory_fortified_fits(n, size);
    check_read(from, n, "mempcpy: the source is readable");
    check_write(to, n, "mempcpy: the destination is writable");
    __selkie_check(__selkie_is_disjoint(to, from, n), "overlap", "mempcpy between overlapping ranges");
    __selkie_memcpy(to, from, n);
    return (char *)to + n;
}

MODEL void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
    memory_fortified_fits(n, size);
    check_read(from, n, "memmove: the source is readable");
    check_write(to, n, "memmove: the destination is writable");
    __selkie_memcpy(to, from, n);
    return to;
}

MODEL void *__memset_chk(void *to, int byte, size_t n, size_t size) {
    memory_fortified_fits(n, size);
    check_write(to, n, "memset: the bytes are writable");
    __selkie_memset(to, byte, n);
    return to;
}

MODEL void __explicit_bzero_chk(void *to, size_t n, size_t size) {
    memory_fortified_fits(n, size);
    check_write(to, n, "explicit_bzero: the bytes are writable");
    __selkie_memset(to, 0, n);
}
