// Takes an address of N symbolic bytes apart: scheme, host, port, path; and decodes %XX in the path.
//
// All parts lie in the text, in this order; what is decoded is no longer than the path.
#include <selkie.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

struct part {
    int start, length;
};

struct url {
    struct part scheme, host, path;
    int port;
};

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

static int parse(const char *text, int len, struct url *url) {
    int at = 0;
    url->scheme.start = 0;
    while (at < len && is_letter(text[at])) at++;
    url->scheme.length = at;
    if (at < len && text[at] == ':') {
        at++;
        if (len - at < 2 || text[at] != '/' || text[at + 1] != '/') return -1;
        at += 2;
    } else {
        at = url->scheme.length = 0;
    }
    url->host.start = at;
    while (at < len && text[at] != ':' && text[at] != '/') at++;
    url->host.length = at - url->host.start;
    url->port = 80;
    if (at < len && text[at] == ':') {
        url->port = 0;
        for (at++; at < len && text[at] >= '0' && text[at] <= '9'; at++) {
            url->port = url->port * 10 + (text[at] - '0');
            if (url->port > 65535) return -1;
        }
    }
    if (at < len && text[at] != '/') return -1;
    url->path.start = at;
    url->path.length = len - at;
    return 0;
}

static int decode(const char *text, struct part path, char *out) {
    int to = 0;
    for (int i = 0; i < path.length; i++) {
        char c = text[path.start + i];
        if (c == '%') {
#ifdef BUG
            if (i + 2 > path.length) return -1;
#else
            if (i + 2 >= path.length) return -1;
#endif
            int high = digit(text[path.start + i + 1]), low = digit(text[path.start + i + 2]);
            if (high < 0 || low < 0) return -1;
            c = (char)(high * 16 + low);
            i += 2;
        }
        out[to++] = c;
    }
    return to;
}

int main(void) {
    char text[N], out[N];
    struct url url;
    for (int i = 0; i < N; i++) text[i] = sk_nondet_char();
    if (parse(text, N, &url) < 0) return 0;
    sk_assert(url.scheme.length <= url.host.start);
    sk_assert(url.host.start + url.host.length <= url.path.start);
    sk_assert(url.path.start + url.path.length == N);
    sk_assert(url.port >= 0 && url.port <= 65535);
    sk_assert(decode(text, url.path, out) <= url.path.length);
    return 0;
}
