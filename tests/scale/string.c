// A string that knows its length, of up to N symbolic bytes; a part of it is replaced by another string.
//
// The length is right, it ends with 0, and what stood before and behind still stands there.
#include <selkie.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 4
#endif

struct string {
    char *text;
    size_t length;
};

static struct string make(const char *text, size_t length) {
    struct string s = {malloc(length + 1), length};
    if (s.text) {
        memcpy(s.text, text, length);
        s.text[length] = 0;
    }
    return s;
}

static int replace(struct string *s, size_t at, size_t length, const char *by, size_t by_length) {
    if (at > s->length || length > s->length - at) return 0;
#ifdef BUG
    char *text = malloc(s->length - length + by_length);
#else
    char *text = malloc(s->length - length + by_length + 1);
#endif
    if (!text) return 0;
    memcpy(text, s->text, at);
    memcpy(text + at, by, by_length);
    memcpy(text + at + by_length, s->text + at + length, s->length - at - length);
    free(s->text);
    s->text = text;
    s->length = s->length - length + by_length;
    s->text[s->length] = 0;
    return 1;
}

int main(void) {
    char before[N];
    for (int i = 0; i < N; i++) {
        before[i] = sk_nondet_char();
        sk_assume(before[i] != 0);
    }
    struct string s = make(before, N);
    if (!s.text) return 0;
    size_t at = sk_nondet_size_t(), length = sk_nondet_size_t();
    int done = replace(&s, at, length, "ab", 2);
    sk_assert(done == (at <= N && length <= N - at));
    if (done) {
        sk_assert(s.length == N - length + 2);
        sk_assert(strlen(s.text) == s.length);
        sk_assert(s.text[at] == 'a' && s.text[at + 1] == 'b');
        size_t i = sk_nondet_size_t();
        if (i < at) sk_assert(s.text[i] == before[i]);
        if (i >= at + length && i < N) sk_assert(s.text[i - length + 2] == before[i]);
    }
    free(s.text);
    return 0;
}
