// Walks through N symbolic bytes of records (type, length, value), which may hold records in turn.
//
// A claim of each record: it lies in the one around it. The sum of all plain values is counted once.
#include <selkie.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#define DEPTH 3
#define NESTED 0x80

static int plain;

static int walk(const uint8_t *data, int len) {
    int end[DEPTH], depth = 0, at = 0;
    end[0] = len;
    while (1) {
        while (at == end[depth]) {
            if (depth == 0) return 0;
            depth--;
        }
        if (end[depth] - at < 2) return -1;
        uint8_t type = data[at], n = data[at + 1];
#ifdef BUG
        if (n > end[0] - at - 2) return -1;
#else
        if (n > end[depth] - at - 2) return -1;
#endif
        at += 2;
        if (type & NESTED) {
            if (depth == DEPTH - 1) return -1;
            end[++depth] = at + n;
            sk_assert(end[depth] <= end[depth - 1]);
        } else {
            at += n;
            plain += n;
        }
    }
}

int main(void) {
    uint8_t data[N];
    for (int i = 0; i < N; i++) data[i] = sk_nondet_uint8_t();
    int r = walk(data, N);
    sk_assert(r != 0 || plain <= N);
    return 0;
}
