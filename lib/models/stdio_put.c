/* stdio_put.c: writing bytes and strings: accepted or not, nothing else can be seen. */
#include "stream.h"
#include "text.h"

static int stdio_put_byte(int c, struct stream *f) {
    return stream_accepts(f) ? (unsigned char)c : EOF;
}

static int stdio_put_string(const char *s, struct stream *f) {
    text_read(s);
    return stream_accepts(f) ? rough_int_in(0, 2147483647) : EOF;
}

MODEL int fputc(int c, struct stream *f) { return stdio_put_byte(c, f); }
MODEL int putc(int c, struct stream *f) { return stdio_put_byte(c, f); }
MODEL int _IO_putc(int c, struct stream *f) { return stdio_put_byte(c, f); }
MODEL int fputc_unlocked(int c, struct stream *f) { return stdio_put_byte(c, f); }
MODEL int putc_unlocked(int c, struct stream *f) { return stdio_put_byte(c, f); }
MODEL int __overflow(struct stream *f, int c) { return stdio_put_byte(c, f); }
MODEL int fputs(const char *s, struct stream *f) { return stdio_put_string(s, f); }
MODEL int fputs_unlocked(const char *s, struct stream *f) { return stdio_put_string(s, f); }

MODEL int putw(int w, struct stream *f) {
    (void)w;
    return stream_accepts(f) ? 0 : EOF;
}

