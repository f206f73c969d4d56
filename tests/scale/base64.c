// Encodes up to N symbolic bytes in base64, and decodes them again.
#include <selkie.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#define ROOM ((N + 2) / 3 * 4)

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int encode(const uint8_t *in, int n, char *out) {
    int o = 0;
    for (int i = 0; i < n; i += 3) {
        uint32_t word = in[i] << 16;
        if (i + 1 < n) word |= in[i + 1] << 8;
        if (i + 2 < n) word |= in[i + 2];
        out[o++] = letters[word >> 18];
        out[o++] = letters[word >> 12 & 63];
        out[o++] = i + 1 < n ? letters[word >> 6 & 63] : '=';
        out[o++] = i + 2 < n ? letters[word & 63] : '=';
    }
    return o;
}

static int value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
#ifdef BUG
    return c == '-' ? 63 : -1;
#else
    return c == '/' ? 63 : -1;
#endif
}

static int decode(const char *in, int n, uint8_t *out) {
    int o = 0;
    if (n % 4) return -1;
    for (int i = 0; i < n; i += 4) {
        int pad = (in[i + 3] == '=') + (in[i + 2] == '=' && in[i + 3] == '=');
        if (pad && i + 4 < n) return -1;
        uint32_t word = 0;
        for (int j = 0; j < 4 - pad; j++) {
            int v = value(in[i + j]);
            if (v < 0) return -1;
            word |= (uint32_t)v << (18 - 6 * j);
        }
        out[o++] = word >> 16;
        if (pad < 2) out[o++] = word >> 8;
        if (pad < 1) out[o++] = word;
    }
    return o;
}

int main(void) {
    uint8_t bytes[N], again[ROOM];
    char text[ROOM];
    int n = sk_nondet_int();
    sk_assume(n >= 0 && n <= N);
    for (int i = 0; i < N; i++) bytes[i] = sk_nondet_uint8_t();
    int len = encode(bytes, n, text);
    sk_assert(len <= ROOM);
    int back = decode(text, len, again);
    sk_assert(back == n);
    for (int i = 0; i < n; i++) sk_assert(again[i] == bytes[i]);
    return 0;
}
