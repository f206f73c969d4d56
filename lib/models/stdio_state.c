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

static void stdio_state_clear(struct stream *f) {
    stream_check(f);
    f->at_end = 0;
    f->failed = 0;
}

MODEL void clearerr(struct stream *f) { stdio_state_clear(f); }
MODEL void clearerr_unlocked(struct stream *f) { stdio_state_clear(f); }

/* The start. */
MODEL void rewind(struct stream *f) {
    stdio_state_clear(f);
    f->rough |= f->place == STREAM_SOMEWHERE;
    f->pushed = 0;
    f->place = STREAM_AT;
    f->at = 0;
}

static int stdio_state_number(struct stream *f) {
    stream_check(f);
    return f->number;
}

MODEL int fileno(struct stream *f) { return stdio_state_number(f); }
MODEL int fileno_unlocked(struct stream *f) { return stdio_state_number(f); }

/* Null stands for all streams. */
static int stdio_state_flush(struct stream *f) {
    if (f)
        return stream_accepts(f) ? 0 : EOF;
    return system_status();
}

MODEL int fflush(struct stream *f) { return stdio_state_flush(f); }
MODEL int fflush_unlocked(struct stream *f) { return stdio_state_flush(f); }

/* BUFSIZ of stdio.h. */
#define STDIO_STATE_BUFFER 8192

MODEL void setbuf(struct stream *f, char *buffer) {
    stream_check(f);
    if (buffer)
        check_write(buffer, STDIO_STATE_BUFFER, "setbuf: the buffer has BUFSIZ bytes");
}

MODEL void setbuffer(struct stream *f, char *buffer, size_t n) {
    stream_check(f);
    if (buffer)
        check_write(buffer, n, "setbuffer: the buffer is writable");
}

MODEL void setlinebuf(struct stream *f) { stream_check(f); }

/* There is one thread. */
MODEL void flockfile(struct stream *f) { stream_check(f); }
MODEL void funlockfile(struct stream *f) { stream_check(f); }

MODEL int ftrylockfile(struct stream *f) {
    stream_check(f);
    return 0;
}

MODEL int setvbuf(struct stream *f, char *buffer, int mode, size_t n) {
    (void)mode;
    stream_check(f);
    if (buffer)
        check_write(buffer, n, "setvbuf: the buffer is writable");
    return any_int();
}

/* A stream may have no positions; the program's own files have. */
static _Bool stdio_state_fails(const struct stream *f) {
    return f->rough ? rough_bool() : any_bool();
}

/* Whence is the start (0), here (1), or the end (2). How long a file is may be asked once, if the program has not written it. */
static int stdio_state_seek(struct stream *f, long long offset, int whence) {
    stream_check(f);
    if (whence < 0 || whence > 2 || (whence == 0 && offset < 0)) {
        errno = EINVAL;
        return -1;
    }
    if (stdio_state_fails(f))
        return system_failed();
    f->at_end = 0;
    f->pushed = 0;
    f->rough |= f->place == STREAM_SOMEWHERE;
    if (whence == 0) {
        f->place = STREAM_AT;
        f->at = offset;
    } else if (whence == 2 && !f->rough && !f->measured) {
        f->place = STREAM_ANYWHERE;
        f->measured = 1;
    } else {
        f->place = STREAM_SOMEWHERE;
    }
    return 0;
}

MODEL int fseek(struct stream *f, long offset, int whence) { return stdio_state_seek(f, offset, whence); }
MODEL int fseeko(struct stream *f, long offset, int whence) { return stdio_state_seek(f, offset, whence); }
MODEL int fseeko64(struct stream *f, long long offset, int whence) { return stdio_state_seek(f, offset, whence); }

/* The position, if there is one. It fits a long: files of 32-bit systems are not longer. */
static long long stdio_state_at(struct stream *f) {
    stream_check(f);
    if (stdio_state_fails(f))
        return system_failed();
    if (f->place == STREAM_AT)
        return f->at;
    long long most = sizeof(long) == 8 ? 9223372036854775807 : 2147483647;
    long long at = f->place == STREAM_ANYWHERE ? any_longlong() : rough_longlong();
    sk_assume(at >= 0 && at <= most);
    f->place = STREAM_AT;
    f->at = at;
    return at;
}

MODEL long ftell(struct stream *f) { return (long)stdio_state_at(f); }
MODEL long ftello(struct stream *f) { return (long)stdio_state_at(f); }
MODEL long long ftello64(struct stream *f) { return stdio_state_at(f); }

/* fpos_t: an offset and 8 bytes. */
#define STDIO_STATE_POSITION (sizeof(long) + 8)

static int stdio_state_tell(struct stream *f, void *position, size_t n) {
    stream_check(f);
    check_write(position, n, "fgetpos: the position is writable");
    if (system_status() != 0)
        return -1;
    rough_bytes(position, n);
    return 0;
}

/* Where an earlier call was. */
static int stdio_state_return(struct stream *f) {
    stream_check(f);
    if (stdio_state_fails(f))
        return system_failed();
    f->at_end = 0;
    f->pushed = 0;
    f->place = STREAM_SOMEWHERE;
    f->rough = 1;
    return 0;
}

MODEL int fgetpos(struct stream *f, void *position) { return stdio_state_tell(f, position, STDIO_STATE_POSITION); }
MODEL int fgetpos64(struct stream *f, void *position) { return stdio_state_tell(f, position, 16); }

MODEL int fsetpos(struct stream *f, const void *position) {
    check_read(position, STDIO_STATE_POSITION, "fsetpos: the position is readable");
    return stdio_state_return(f);
}

MODEL int fsetpos64(struct stream *f, const void *position) {
    check_read(position, 16, "fsetpos64: the position is readable");
    return stdio_state_return(f);
}
