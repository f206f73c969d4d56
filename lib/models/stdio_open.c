/* stdio_open.c: opening and closing streams. Streams are not heap objects: one that stays open is
 * no leak. */
#include "stream.h"
#include "text.h"

#define STDIO_OPEN_SLOTS 16
static struct stream stdio_open_table[STDIO_OPEN_SLOTS];

/* Files that were written may be the ones that are opened next. */
static _Bool stdio_open_written(void) {
    for (int i = 0; i < STDIO_OPEN_SLOTS; i++)
        if (stdio_open_table[i].rough)
            __selkie_io.wrote = 1;
    return __selkie_io.wrote;
}

static struct stream *stdio_open_new(int number, char place) {
    if (number < 0)
        return NULL;
    _Bool rough = stdio_open_written();
    for (int i = 0; i < STDIO_OPEN_SLOTS; i++) {
        struct stream *f = &stdio_open_table[i];
        if (!f->open) {
            f->open = 1;
            f->at_end = 0;
            f->failed = 0;
            f->rough = rough;
            f->measured = 0;
            f->place = place;
            f->number = number;
            f->pushed = 0;
            f->at = 0;
            return f;
        }
    }
    __selkie_unsupported("more than 16 streams open at once");
    return NULL;
}

/* At the start, or wherever files end. */
static struct stream *stdio_open_path(const char *path, const char *mode) {
    text_read(path);
    text_read(mode);
    return stdio_open_new(system_descriptor(), mode[0] == 'a' ? STREAM_ANYWHERE : STREAM_AT);
}

MODEL struct stream *fopen(const char *path, const char *mode) { return stdio_open_path(path, mode); }
MODEL struct stream *fopen64(const char *path, const char *mode) { return stdio_open_path(path, mode); }

MODEL struct stream *fdopen(int fd, const char *mode) {
    text_read(mode);
    struct stream *f = stdio_open_new(system_status() == 0 ? fd : -1, STREAM_ANYWHERE);
    if (f && __selkie_io.own)
        f->rough = 1;
    return f;
}

MODEL struct stream *popen(const char *command, const char *mode) {
    text_read(command);
    text_read(mode);
    return stdio_open_new(system_descriptor(), STREAM_ANYWHERE);
}

/* Nobody else knows the file: it is empty, and has what the program writes. */
static struct stream *stdio_open_temporary(void) {
    struct stream *f = stdio_open_new(system_descriptor(), STREAM_AT);
    if (f)
        f->rough = 1;
    return f;
}

MODEL struct stream *tmpfile(void) { return stdio_open_temporary(); }
MODEL struct stream *tmpfile64(void) { return stdio_open_temporary(); }

static struct stream *stdio_open_again(const char *path, const char *mode, struct stream *f) {
    if (path)
        text_read(path);
    text_read(mode);
    stream_check(f);
    f->at_end = 0;
    f->failed = 0;
    f->pushed = 0;
    f->rough |= stdio_open_written();
    f->place = STREAM_SOMEWHERE;
    f->number = rough_int() & 1023;
    f->open = system_status() == 0;
    return f->open ? f : NULL;
}

MODEL struct stream *freopen(const char *path, const char *mode, struct stream *f) {
    return stdio_open_again(path, mode, f);
}

MODEL struct stream *freopen64(const char *path, const char *mode, struct stream *f) {
    return stdio_open_again(path, mode, f);
}

MODEL struct stream *fmemopen(void *buffer, size_t n, const char *mode) {
    (void)buffer, (void)n, (void)mode;
    __selkie_unsupported("fmemopen");
    return NULL;
}

MODEL struct stream *open_memstream(char **result, size_t *n) {
    (void)result, (void)n;
    __selkie_unsupported("open_memstream");
    return NULL;
}

MODEL int fclose(struct stream *f) {
    stream_check(f);
    f->open = 0;
    __selkie_io.closed = 1;
    return system_status();
}

MODEL int pclose(struct stream *f) {
    stream_check(f);
    f->open = 0;
    __selkie_io.closed = 1;
    return any_bool() ? any_ushort() : system_failed();
}
