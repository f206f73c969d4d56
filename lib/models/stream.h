/* stream.h: what a FILE is here. What a file contains is any sequence of bytes, known only roughly where the program itself
 * may have written it. Whether the stream is open, whether a read met the end or an error, its descriptor, a byte that was pushed
 * back, and the position, as long as it is known without counting, are kept. */
#ifndef SELKIE_MODELS_STREAM_H
#define SELKIE_MODELS_STREAM_H

#include "system.h"

struct stream {
    /* The platform's headers look at its own fields in macros; zeros make them call functions. */
    long platform[40];
    _Bool open;
    _Bool at_end;
    _Bool failed;
    _Bool rough;  /* It may yield what the program has written, or read before. */
    _Bool measured; /* The program has asked for its length. */
    char place;   /* What is known of the position. */
    int number;   /* The descriptor. */
    int pushed;   /* What was pushed back, plus 1; or 0. */
    long long at; /* The position, if it is known. */
};

/* The position: known; anything (that is then known); or not. */
enum { STREAM_AT, STREAM_ANYWHERE, STREAM_SOMEWHERE };

extern struct stream *stdin, *stdout, *stderr;

/* Obligation: the stream is there, and open. */
static inline __attribute__((unused)) void stream_check(struct stream *f) {
    __selkie_check(f->open, "deref", "stream is open");
}

/* A read that yields nothing met the end of the file or an error. */
static inline __attribute__((unused)) void stream_stop(struct stream *f) {
    if (any_bool())
        f->at_end = 1;
    else {
        f->failed = 1;
        system_failed();
    }
}

/* A choice about what there is to read, known only roughly where the program may know better. */
static inline __attribute__((unused)) _Bool stream_any_bool(const struct stream *f) {
    return f->rough || f->measured ? rough_bool() : any_bool();
}

/* The same for a number of bytes. */
static inline __attribute__((unused)) size_t stream_any_count(const struct stream *f, size_t low, size_t high) {
    size_t count = f->rough || f->measured ? (size_t)rough_long() : any_size();
    sk_assume(count >= low && count <= high);
    return count;
}

/* The next bytes of the stream, the one that was pushed back among them; n is not more than the constant `bound`, if that can be told. */
static inline __attribute__((unused)) void stream_bytes(struct stream *f, void *to, size_t n, size_t bound) {
    if (f->rough) {
        for (size_t i = 0; i < bound; i++)
            if (i < n)
                ((char *)to)[i] = rough_char();
    } else {
        __selkie_havoc(to, n);
    }
    if (n > 0 && f->pushed) {
        *(char *)to = (char)(f->pushed - 1);
        f->pushed = 0;
    }
}

/* Is there something to read? Not behind the end; surely if something was pushed back. */
static inline __attribute__((unused)) _Bool stream_more(struct stream *f) {
    stream_check(f);
    if (f->pushed)
        return 1;
    if (f->at_end)
        return 0;
    f->place = STREAM_SOMEWHERE;
    if (stream_any_bool(f))
        return 1;
    stream_stop(f);
    return 0;
}

/* Is what is written accepted? It may be read again. */
static inline __attribute__((unused)) _Bool stream_accepts(struct stream *f) {
    stream_check(f);
    f->rough = 1;
    f->place = STREAM_SOMEWHERE;
    if (any_bool())
        return 1;
    f->failed = 1;
    system_failed();
    return 0;
}

#endif
