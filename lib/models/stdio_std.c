/* stdio_std.c: the streams that are open at the start. */
#include "stream.h"

static struct stream stdio_std_in = {.open = 1, .place = STREAM_ANYWHERE};
static struct stream stdio_std_out = {.open = 1, .place = STREAM_ANYWHERE, .number = 1};
static struct stream stdio_std_err = {.open = 1, .place = STREAM_ANYWHERE, .number = 2};

MODEL struct stream *stdin = &stdio_std_in;
MODEL struct stream *stdout = &stdio_std_out;
MODEL struct stream *stderr = &stdio_std_err;
