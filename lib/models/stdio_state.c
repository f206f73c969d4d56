/* stdio_state.c: positions, buffers and flags of streams. */
#include "stream.h"

MODEL int feof(struct stream *f) {
    stream_check(f);
    return f->at_end;
}

MODEL int feof_unlocked(struct stream *f) {
    stream_check(f);
    return f->at_end;
}

MODEL int ferror(struct stream *f) {
    stream_check(f);
    return f->failed;
}

MODEL int ferror_unlocked(struct stream *f) {
    stream_check(f);
    return f->failed;
}

MODEL void clearerr(struct stream *f) {
    stream_check(f);
    f->at_end = 0;
    f->failed = 0;
}

MODEL int fileno(struct stream *f) {
    stream_check(f);
    return any_int_in(0, 1023);
}

/* Null stands for all streams. */
MODEL int fflush(struct stream *f) {
    if (f)
        return stream_accepts(f) ? 0 : EOF;
    return any_bool() ? 0 : EOF;
}

MODEL void setbuf(struct stream *f, char *buffer) {
    (void)buffer;
    stream_check(f);
}

MODEL int setvbuf(struct stream *f, char *buffer, int mode, size_t n) {
    (void)mode;
    stream_check(f);
    if (buffer)
        check_write(buffer, n, "setvbuf: the buffer is writable");
    return any_int();
}

static int stdio_state_seek(struct stream *f) {
    stream_check(f);
    if (any_bool())
        return -1;
    f->at_end = 0;
    return 0;
}

MODEL int fseek(struct stream *f, long offset, int whence) {
    (void)offset, (void)whence;
    return stdio_state_seek(f);
}

MODEL int fseeko(struct stream *f, long offset, int whence) {
    (void)offset, (void)whence;
    return stdio_state_seek(f);
}

MODEL int fseeko64(struct stream *f, long long offset, int whence) {
    (void)offset, (void)whence;
    return stdio_state_seek(f);
}

MODEL void rewind(struct stream *f) {
    stream_check(f);
    f->at_end = 0;
    f->failed = 0;
}

MODEL long ftell(struct stream *f) {
    stream_check(f);
    long offset = any_long();
    sk_assume(offset >= -1);
    return offset;
}

MODEL long ftello(struct stream *f) {
    stream_check(f);
    long offset = any_long();
    sk_assume(offset >= -1);
    return offset;
}

MODEL long long ftello64(struct stream *f) {
    stream_check(f);
    long long offset = any_longlong();
    sk_assume(offset >= -1);
    return offset;
}
