/* stdio_block.c: fread and fwrite. */
#include "stream.h"

static size_t stdio_block_read(void *to, size_t size, size_t count, struct stream *f) {
    stream_check(f);
    size_t total = 0;
    if (size == 0 || count == 0)
        return 0;
    __selkie_check(!__builtin_mul_overflow(size, count, &total), "deref", "fread: the sizes are possible");
    check_write(to, total, "fread: the buffer has room for all elements");
    if (f->at_end && !f->pushed)
        return 0;
    f->place = STREAM_SOMEWHERE;
    size_t got = stream_any_count(f, f->pushed && size == 1, count);
    if (got == count) {
        stream_bytes(f, to, total, total);
        return got;
    }
    /* A part of the next element may have been read. */
    stream_stop(f);
    stream_bytes(f, to, got * size + (size - 1), total);
    return got;
}

static size_t stdio_block_write(const void *from, size_t size, size_t count, struct stream *f) {
    stream_check(f);
    size_t total = 0;
    if (size == 0 || count == 0)
        return 0;
    __selkie_check(!__builtin_mul_overflow(size, count, &total), "deref", "fwrite: the sizes are possible");
    check_read(from, total, "fwrite: all elements are readable");
    f->rough = 1;
    f->place = STREAM_SOMEWHERE;
    size_t put = any_size();
    sk_assume(put <= count);
    if (put < count) {
        f->failed = 1;
        system_failed();
    }
    return put;
}

MODEL size_t fread(void *to, size_t size, size_t count, struct stream *f) {
    return stdio_block_read(to, size, count, f);
}

MODEL size_t fread_unlocked(void *to, size_t size, size_t count, struct stream *f) {
    return stdio_block_read(to, size, count, f);
}

MODEL size_t __fread_chk(void *to, size_t room, size_t size, size_t count, struct stream *f) {
    size_t total = 0;
    __selkie_check(!__builtin_mul_overflow(size, count, &total), "deref", "fread: the sizes are possible");
    system_fits(total, room);
    return stdio_block_read(to, size, count, f);
}

MODEL size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, struct stream *f) {
    size_t total = 0;
    __selkie_check(!__builtin_mul_overflow(size, count, &total), "deref", "fread: the sizes are possible");
    system_fits(total, room);
    return stdio_block_read(to, size, count, f);
}

MODEL size_t fwrite(const void *from, size_t size, size_t count, struct stream *f) {
    return stdio_block_write(from, size, count, f);
}

MODEL size_t fwrite_unlocked(const void *from, size_t size, size_t count, struct stream *f) {
    return stdio_block_write(from, size, count, f);
}
