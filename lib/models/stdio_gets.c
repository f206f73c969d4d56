/* stdio_gets.c: reading lines. A line has any bytes, zeros among them; a newline can only be its
 * last. */
#include "stream.h"
#include "text.h"

/* At most n - 1 bytes and a terminator. */
static char *stdio_gets_from(struct stream *f, char *to, int n) {
    stream_check(f);
    if (n <= 0)
        return NULL;
    check_write(to, n, "fgets: the buffer has as many bytes as it is said to have");
    if (n == 1) {
        to[0] = 0;
        return to;
    }
    if (!stream_more(f)) {
        if (!f->at_end)
            __selkie_havoc(to, n);
        return NULL;
    }
    int length = (int)stream_any_count(f, 1, (size_t)n - 1);
    stream_bytes(f, to, (size_t)length, (size_t)n - 1);
    for (int i = 0; i + 2 < n; i++)
        sk_assume(i + 1 >= length || to[i] != '\n');
    if (length < n - 1 && to[length - 1] != '\n')
        f->at_end = 1;
    to[length] = 0;
    return to;
}

MODEL char *fgets(char *to, int n, struct stream *f) {
    return stdio_gets_from(f, to, n);
}

MODEL char *fgets_unlocked(char *to, int n, struct stream *f) {
    return stdio_gets_from(f, to, n);
}

MODEL char *__fgets_chk(char *to, size_t size, int n, struct stream *f) {
    __selkie_check(n <= 0 || (size_t)n <= size, "deref", "fgets: no more bytes than the destination has");
    return stdio_gets_from(f, to, n);
}

MODEL char *__fgets_unlocked_chk(char *to, size_t size, int n, struct stream *f) {
    __selkie_check(n <= 0 || (size_t)n <= size, "deref", "fgets: no more bytes than the destination has");
    return stdio_gets_from(f, to, n);
}

/* Beyond this, lines are not considered; where they are taken as they are, the delimiter is looked for so far only. */
#define STDIO_GETS_LONGEST 1048576
#define STDIO_GETS_LOOK 64

/* A line of any length: no buffer is safe. */
static char *stdio_gets_unbounded(char *to, size_t size) {
    if (!stream_more(stdin))
        return NULL;
    size_t length = any_size();
    sk_assume(length < STDIO_GETS_LONGEST);
    __selkie_check(length < size, "deref", "gets: the destination has room for any line");
    check_write(to, length + 1, "gets: the buffer has room for any line");
    stream_bytes(stdin, to, length, length);
    to[length] = 0;
    return to;
}

MODEL char *gets(char *to) {
    return stdio_gets_unbounded(to, (size_t)-1);
}

MODEL char *__gets_chk(char *to, size_t size) {
    return stdio_gets_unbounded(to, size);
}

/* The old buffer is replaced by a new one that is large enough. */
static ssize_t stdio_gets_new(char **line, size_t *n, int delimiter, struct stream *f) {
    __selkie_note("getline: lines are shorter than 1 MiB; the delimiter may also stand inside a line, behind its first 64 bytes");
    char *old = *line;
    if (old) {
        __selkie_check(__selkie_is_freeable(old), "free", "getline: the buffer is null or from malloc");
        check_write(old, *n, "getline: the buffer has as many bytes as it is said to have");
    }
    if (!stream_more(f)) {
        /* There may be a buffer although there is no line. */
        char *empty = old || any_bool() ? NULL : heap_new(120);
        if (empty) {
            *line = empty;
            *n = 120;
        }
        return -1;
    }
    size_t length = stream_any_count(f, 1, STDIO_GETS_LONGEST - 1);
    char *new = heap_new(length + 1);
    if (!new) {
        errno = ENOMEM;
        return -1;
    }
    _Bool rough = f->rough, pushed = f->pushed != 0;
    if (rough)
        rough_bytes(new, length);
    if (pushed) {
        new[0] = (char)(f->pushed - 1);
        f->pushed = 0;
    }
    for (size_t i = 0; i < STDIO_GETS_LOOK; i++)
        if (i + 1 < length)
            sk_assume(new[i] != (char)delimiter);
    if (stream_any_bool(f))
        sk_assume(new[length - 1] == (char)delimiter);
    else
        f->at_end = 1;
    new[length] = 0;
    if (old)
        __selkie_free(old);
    *line = new;
    *n = length + 1;
    return length;
}

MODEL ssize_t getdelim(char **line, size_t *n, int delimiter, struct stream *f) {
    return stdio_gets_new(line, n, delimiter, f);
}

MODEL ssize_t __getdelim(char **line, size_t *n, int delimiter, struct stream *f) {
    return stdio_gets_new(line, n, delimiter, f);
}

MODEL ssize_t getline(char **line, size_t *n, struct stream *f) {
    return stdio_gets_new(line, n, '\n', f);
}
