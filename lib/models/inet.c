/* inet.c: numbers and addresses of the network. */
#include "text.h"

MODEL unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
MODEL unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
MODEL unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
MODEL unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }

MODEL unsigned inet_addr(const char *text) {
    text_read(text);
    return any_uint();
}

MODEL int inet_aton(const char *text, unsigned *result) {
    text_read(text);
    if (any_bool())
        return 0;
    *result = any_uint();
    return 1;
}

/* Up to 15 characters. */
MODEL char *inet_ntoa(unsigned address) {
    (void)address;
    static char text[16];
    int n = any_int_in(7, 15);
    for (int i = 0; i < 15; i++) {
        char c = any_char();
        sk_assume((c >= '0' && c <= '9') || c == '.');
        text[i] = i < n ? c : 0;
    }
    text[15] = 0;
    return text;
}
