/* stdio_getc.c: reading one byte: any one, or EOF. */
#include "stream.h"

static int stdio_getc_from(struct stream *f) {
    if (!stream_more(f))
        return EOF;
    if (f->pushed) {
        int c = f->pushed - 1;
        f->pushed = 0;
        return c;
    }
    return f->rough ? (unsigned char)rough_char() : any_uchar();
}

MODEL int fgetc(struct stream *f) { return stdio_getc_from(f); }
MODEL int getc(struct stream *f) { return stdio_getc_from(f); }
MODEL int _IO_getc(struct stream *f) { return stdio_getc_from(f); }
MODEL int fgetc_unlocked(struct stream *f) { return stdio_getc_from(f); }
MODEL int getc_unlocked(struct stream *f) { return stdio_getc_from(f); }
MODEL int __uflow(struct stream *f) { return stdio_getc_from(f); }
MODEL int getchar(void) { return stdio_getc_from(stdin); }
MODEL int getchar_unlocked(void) { return stdio_getc_from(stdin); }

/* One byte can always be pushed back; if there are several, what comes after the last is known only roughly. */
MODEL int ungetc(int c, struct stream *f) {
    stream_check(f);
    if (c == EOF)
        return EOF;
    if (f->pushed) {
        if (any_bool())
            return EOF;
        f->rough = 1;
    }
    f->pushed = (unsigned char)c + 1;
    f->place = STREAM_SOMEWHERE;
    f->at_end = 0;
    return (unsigned char)c;
}

MODEL int getw(struct stream *f) {
    int w = 0;
    if (!stream_more(f))
        return EOF;
    stream_bytes(f, &w, sizeof w, sizeof w);
    return w;
}
