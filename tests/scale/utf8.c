// Decodes N symbolic bytes of UTF-8, and encodes what comes out: the same bytes.
#include <selkie.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

// The number of bytes of the code point at s, of which `left` are there; 0 if it is none.
static int decode(const uint8_t *s, int left, uint32_t *code) {
    if (s[0] < 0x80) {
        *code = s[0];
        return 1;
    }
    int len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc0 || s[0] >= 0xf8 || len > left) return 0;
    uint32_t c = s[0] & (0x7f >> len);
    for (int i = 1; i < len; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
#ifdef BUG
    static const uint32_t least[] = {0, 0, 0x80, 0x400, 0x10000};
#else
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
#endif
    if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
    *code = c;
    return len;
}

static int encode(uint32_t c, uint8_t *out) {
    if (c < 0x80) {
        out[0] = c;
        return 1;
    }
    int len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t mark[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = len - 1; i > 0; i--) {
        out[i] = 0x80 | (c & 0x3f);
        c >>= 6;
    }
    out[0] = mark[len] | c;
    return len;
}

int main(void) {
    uint8_t text[N];
    uint32_t codes[N];
    for (int i = 0; i < N; i++) text[i] = sk_nondet_uint8_t();
    int count = 0, at = 0;
    while (at < N) {
        int len = decode(text + at, N - at, &codes[count]);
        if (len == 0) return 0;
        at += len;
        count++;
    }
    uint8_t again[N];
    int to = 0;
    for (int i = 0; i < count; i++) {
        uint8_t bytes[4];
        int len = encode(codes[i], bytes);
        sk_assert(to + len <= N);
        for (int j = 0; j < len; j++) again[to++] = bytes[j];
    }
    sk_assert(to == N);
    for (int i = 0; i < N; i++) sk_assert(again[i] == text[i]);
    return 0;
}
