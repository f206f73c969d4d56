/* stream.h: what a FILE is here. What a file contains is any sequence of bytes; only whether the
 * stream is open, and whether a read met the end or an error, is kept. */
#ifndef SELKIE_MODELS_STREAM_H
#define SELKIE_MODELS_STREAM_H

#include "system.h"

struct stream {
    /* The platform's headers look at its own fields in macros; zeros make them call functions. */
    long platform[40];
    _Bool open;
    _Bool at_end;
    _Bool failed;
};

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

/* Is there something to read? Not behind the end. */
static inline __attribute__((unused)) _Bool stream_more(struct stream *f) {
    stream_check(f);
    if (f->at_end)
        return 0;
    if (any_bool())
        return 1;
    stream_stop(f);
    return 0;
}

/* Is what is written accepted? */
static inline __attribute__((unused)) _Bool stream_accepts(struct stream *f) {
    stream_check(f);
    if (any_bool())
        return 1;
    f->failed = 1;
    system_failed();
    return 0;
}

#endif
