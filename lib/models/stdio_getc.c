/* stdio_getc.c: reading one byte: any one, or EOF. */
#include "stream.h"

static int stdio_getc_from(struct stream *f) {
    return stream_more(f) ? any_uchar() : EOF;
}

MODEL int fgetc(struct stream *f) { return stdio_getc_from(f); }
MODEL int getc(struct stream *f) { return stdio_getc_from(f); }
MODEL int _IO_getc(struct stream *f) { return stdio_getc_from(f); }
MODEL int fgetc_unlocked(struct stream *f) { return stdio_getc_from(f); }
MODEL int getc_unlocked(struct stream *f) { return stdio_getc_from(f); }
MODEL int __uflow(struct stream *f) { return stdio_getc_from(f); }
MODEL int getchar(void) { return stdio_getc_from(stdin); }
MODEL int getchar_unlocked(void) { return stdio_getc_from(stdin); }

/* What is pushed back is forgotten: the next read yields any byte, that one among them. */
MODEL int ungetc(int c, struct stream *f) {
    stream_check(f);
    if (c == EOF || any_bool())
        return EOF;
    f->at_end = 0;
    return (unsigned char)c;
}

MODEL int getw(struct stream *f) {
    return stream_more(f) ? any_int() : EOF;
}
