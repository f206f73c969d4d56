/* wchar_stream.c: streams of wide characters. */
#include "stream.h"
#include "wide.h"

#define WCHAR_STREAM_END ((wint_t)-1)

static wint_t wchar_stream_get(struct stream *f) {
    if (!stream_more(f))
        return WCHAR_STREAM_END;
    if (f->pushed) {
        wint_t c = (wint_t)f->pushed - 1;
        f->pushed = 0;
        return c;
    }
    return (f->rough ? rough_uint() : any_uint()) & 0x7fffffff;
}

static wint_t wchar_stream_put(wchar_t c, struct stream *f) {
    return stream_accepts(f) ? (wint_t)c : WCHAR_STREAM_END;
}

MODEL wint_t fgetwc(struct stream *f) { return wchar_stream_get(f); }
MODEL wint_t getwc(struct stream *f) { return wchar_stream_get(f); }
MODEL wint_t getwchar(void) { return wchar_stream_get(stdin); }
MODEL wint_t fputwc(wchar_t c, struct stream *f) { return wchar_stream_put(c, f); }
MODEL wint_t putwc(wchar_t c, struct stream *f) { return wchar_stream_put(c, f); }
MODEL wint_t putwchar(wchar_t c) { return any_bool() ? (wint_t)c : (wint_t)system_failed(); }

MODEL int fputws(const wchar_t *s, struct stream *f) {
    wide_length(s);
    return stream_accepts(f) ? rough_int_in(0, 2147483647) : EOF;
}

/* At most n - 1 characters and a terminator. */
MODEL wchar_t *fgetws(wchar_t *to, int n, struct stream *f) {
    stream_check(f);
    if (n <= 0)
        return NULL;
    check_write(to, (size_t)n * sizeof(wchar_t), "fgetws: the buffer has as many characters as it is said to have");
    if (n == 1) {
        to[0] = 0;
        return to;
    }
    if (!stream_more(f)) {
        if (!f->at_end)
            __selkie_havoc(to, n * sizeof(wchar_t));
        return NULL;
    }
    int length = (int)stream_any_count(f, 1, (size_t)n - 1);
    if (f->rough)
        rough_bytes(to, (size_t)length * sizeof(wchar_t));
    else
        __selkie_havoc(to, (size_t)length * sizeof(wchar_t));
    if (f->pushed) {
        to[0] = (wchar_t)(f->pushed - 1);
        f->pushed = 0;
    }
    for (int i = 0; i + 2 < n; i++)
        sk_assume(i + 1 >= length || to[i] != '\n');
    if (length < n - 1 && to[length - 1] != '\n')
        f->at_end = 1;
    to[length] = 0;
    return to;
}

/* As ungetc. */
MODEL wint_t ungetwc(wint_t c, struct stream *f) {
    stream_check(f);
    if (c >= 0x7fffffff)
        return WCHAR_STREAM_END;
    if (f->pushed) {
        if (any_bool())
            return WCHAR_STREAM_END;
        f->rough = 1;
    }
    f->pushed = (int)c + 1;
    f->place = STREAM_SOMEWHERE;
    f->at_end = 0;
    return c;
}

/* Positive for wide characters, negative for bytes, 0 if nothing is decided. */
MODEL int fwide(struct stream *f, int mode) {
    stream_check(f);
    int result = rough_int();
    sk_assume(mode == 0 || result != 0);
    return result;
}
