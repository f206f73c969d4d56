// Reads a list of varints (seven bits a byte, lowest first) from N symbolic bytes, and writes them again.
#include <selkie.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif

// The number of bytes of the number at s; 0 if it does not end in time, or is longer than it need be.
static int get(const uint8_t *s, int left, uint32_t *value) {
    uint32_t v = 0;
    for (int i = 0; i < left && i < 5; i++) {
        if (i == 4 && s[i] > 15) return 0;
        v |= (uint32_t)(s[i] & 127) << (7 * i);
        if (s[i] < 128) {
#ifndef BUG
            if (i > 0 && s[i] == 0) return 0;
#endif
            *value = v;
            return i + 1;
        }
    }
    return 0;
}

static int put(uint32_t value, uint8_t *out) {
    int i = 0;
    while (value >= 128) {
        out[i++] = value | 128;
        value >>= 7;
    }
    out[i++] = value;
    return i;
}

int main(void) {
    uint8_t in[N], out[N + 5];
    uint32_t values[N];
    for (int i = 0; i < N; i++) in[i] = sk_nondet_uint8_t();
    int at = 0, count = 0;
    while (at < N) {
        int len = get(in + at, N - at, &values[count]);
        if (len == 0) break;
        count++;
        at += len;
    }
    int to = 0;
    for (int i = 0; i < count; i++) to += put(values[i], out + to);
    sk_assert(to == at);
    for (int i = 0; i < to; i++) sk_assert(in[i] == out[i]);
    return 0;
}
