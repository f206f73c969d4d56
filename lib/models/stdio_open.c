/* stdio_open.c: opening and closing streams. Streams are not heap objects: one that stays open is
 * no leak. */
#include "stream.h"
#include "text.h"

#define STDIO_OPEN_SLOTS 16
static struct stream stdio_open_table[STDIO_OPEN_SLOTS];

static struct stream *stdio_open_new(void) {
    if (any_bool()) {
        system_failed();
        return NULL;
    }
    for (int i = 0; i < STDIO_OPEN_SLOTS; i++) {
        struct stream *f = &stdio_open_table[i];
        if (!f->open) {
            f->open = 1;
            f->at_end = 0;
            f->failed = 0;
            return f;
        }
    }
    __selkie_unsupported("more than 16 streams open at once");
    return NULL;
}

MODEL struct stream *fopen(const char *path, const char *mode) {
    text_read(path);
    text_read(mode);
    return stdio_open_new();
}

MODEL struct stream *fopen64(const char *path, const char *mode) {
    text_read(path);
    text_read(mode);
    return stdio_open_new();
}

MODEL struct stream *fdopen(int fd, const char *mode) {
    (void)fd;
    text_read(mode);
    return stdio_open_new();
}

MODEL struct stream *popen(const char *command, const char *mode) {
    text_read(command);
    text_read(mode);
    return stdio_open_new();
}

MODEL struct stream *tmpfile(void) {
    return stdio_open_new();
}

MODEL struct stream *tmpfile64(void) {
    return stdio_open_new();
}

static struct stream *stdio_open_again(const char *path, const char *mode, struct stream *f) {
    if (path)
        text_read(path);
    text_read(mode);
    stream_check(f);
    f->at_end = 0;
    f->failed = 0;
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
    return system_status();
}

MODEL int pclose(struct stream *f) {
    stream_check(f);
    f->open = 0;
    return any_bool() ? any_ushort() : system_failed();
}
