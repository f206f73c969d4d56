// Writes a number as a symbolic format of N bytes says (%d, %x, %c, %%, with a width), into a buffer that may be too small.
//
// Nothing is written behind the buffer, what is written ends with 0, and the length that is returned is that without the limit.
#include <selkie.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#define ROOM 8

struct sink {
    char *to;
    int room, length;
};

static void put(struct sink *s, char c) {
#ifdef BUG
    if (s->length <= s->room) s->to[s->length] = c;
#else
    if (s->length < s->room - 1) s->to[s->length] = c;
#endif
    s->length++;
}

static void number(struct sink *s, unsigned value, unsigned base, int width) {
    char digits[16];
    int n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value && n < 16);
    while (width-- > n) put(s, ' ');
    while (n > 0) put(s, digits[--n]);
}

static int format(char *to, int room, const char *text, unsigned value) {
    struct sink s = {to, room, 0};
    for (int i = 0; text[i]; i++) {
        if (text[i] != '%') {
            put(&s, text[i]);
            continue;
        }
        int width = 0;
        for (i++; text[i] >= '0' && text[i] <= '9'; i++) width = text[i] - '0';
        switch (text[i]) {
        case 'd': number(&s, value, 10, width); break;
        case 'x': number(&s, value, 16, width); break;
        case 'c': put(&s, (char)value); break;
        case '%': put(&s, '%'); break;
        default: return -1;
        }
    }
    s.to[s.length < room - 1 ? s.length : room - 1] = 0;
    return s.length;
}

int main(void) {
    char text[N + 1], out[ROOM];
    for (int i = 0; i < N; i++) text[i] = sk_nondet_char();
    text[N] = 0;
    unsigned value = sk_nondet_uchar();
    int room = sk_nondet_int();
    sk_assume(room >= 1 && room <= ROOM);
    out[room - 1] = 1;
    int n = format(out, room, text, value);
    if (n < 0) return 0;
    sk_assert(out[n < room ? n : room - 1] == 0);
    return 0;
}
