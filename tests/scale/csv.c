// Splits N symbolic bytes into the fields of one line, some of them in quotes.
//
// Fields lie in the text, one behind the other; quotes are doubled inside of quotes, and taken out.
#include <selkie.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#define FIELDS (N + 1)

struct field {
    int start, length;
};

static char out[N + 1];

static int split(const char *text, int len, struct field *fields) {
    int at = 0, used = 0, to = 0;
    while (1) {
        struct field *f = &fields[used++];
        f->start = to;
        if (at < len && text[at] == '"') {
            at++;
            while (1) {
                if (at >= len) return -1;
                if (text[at] == '"') {
#ifdef BUG
                    if (text[at + 1] != '"') break;
#else
                    if (at + 1 >= len || text[at + 1] != '"') break;
#endif
                    at++;
                }
                out[to++] = text[at++];
            }
            at++;
            if (at < len && text[at] != ',' && text[at] != '\n') return -1;
        } else {
            while (at < len && text[at] != ',' && text[at] != '\n') {
                if (text[at] == '"') return -1;
                out[to++] = text[at++];
            }
        }
        f->length = to - f->start;
        if (at >= len || text[at] == '\n') return used;
        at++;
    }
}

int main(void) {
    char text[N];
    struct field fields[FIELDS];
    for (int i = 0; i < N; i++) text[i] = sk_nondet_char();
    int n = split(text, N, fields);
    sk_assert(n <= FIELDS);
    int all = 0;
    for (int i = 0; i < n; i++) {
        sk_assert(fields[i].start == all && fields[i].length >= 0);
        all += fields[i].length;
    }
    sk_assert(all <= N);
    return 0;
}
