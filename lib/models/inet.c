/* inet.c: numbers and addresses of the network. */
#include "text.h"

MODEL unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
MODEL unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
MODEL unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
MODEL unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }

/* A number as C writes it; is it at most 32 bits wide? *text moves behind it. */
static _Bool inet_number(const char **text, unsigned *result) {
    const char *s = *text;
    unsigned base = 10;
    unsigned long long value = 0;
    if (s[0] == '0') {
        base = 8;
        if ((s[1] == 'x' || s[1] == 'X') && text_digit(s[2]) < 16) {
            base = 16;
            s += 2;
        }
    }
    for (; text_digit(*s) < base; s++) {
        value = value * base + text_digit(*s);
        if (value > 0xffffffff)
            return 0;
    }
    *text = s;
    *result = (unsigned)value;
    return 1;
}

/* One to four numbers with dots between them; the last has all bytes that are left. White space may follow. */
static _Bool inet_read(const char *text, unsigned *result) {
    unsigned address = 0, last = 0;
    const char *s = text;
    for (int shift = 24;; shift -= 8) {
        if (*s < '0' || *s > '9' || !inet_number(&s, &last))
            return 0;
        if (*s != '.') {
            if ((*s && !text_space(*s)) || (shift < 24 && last >> (shift + 8)))
                return 0;
            *result = __builtin_bswap32(address | last);
            return 1;
        }
        if (shift == 0 || last > 255)
            return 0;
        address |= last << shift;
        s++;
    }
}

MODEL unsigned inet_addr(const char *text) {
    unsigned result = 0;
    return inet_read(text, &result) ? result : (unsigned)-1;
}

MODEL int inet_aton(const char *text, unsigned *result) {
    unsigned address = 0;
    if (!inet_read(text, &address))
        return 0;
    if (result)
        *result = address;
    return 1;
}

/* Four decimal numbers, the first in the lowest byte; yields how many characters there are. Room for 16 is needed. */
static int inet_write(char *to, unsigned address) {
    int n = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char byte = (unsigned char)(address >> (8 * i));
        if (byte >= 100)
            to[n++] = '0' + byte / 100;
        if (byte >= 10)
            to[n++] = '0' + byte / 10 % 10;
        to[n++] = '0' + byte % 10;
        to[n++] = i < 3 ? '.' : 0;
    }
    return n - 1;
}

MODEL char *inet_ntoa(unsigned address) {
    static char text[16];
    inet_write(text, address);
    return text;
}

#define INET_FAMILY_4 2
#define INET_FAMILY_6 10
#define INET_NO_FAMILY 97
#define INET_NO_ROOM 28

/* Exactly four decimal numbers without leading zeros. */
static _Bool inet_read_strictly(const char *s, unsigned char *bytes) {
    for (int i = 0; i < 4; i++) {
        unsigned value = 0;
        const char *start = s;
        for (; *s >= '0' && *s <= '9'; s++) {
            if (s > start && value == 0)
                return 0;
            value = value * 10 + (*s - '0');
            if (value > 255)
                return 0;
        }
        if (s == start || *s != (i < 3 ? '.' : 0))
            return 0;
        bytes[i] = (unsigned char)value;
        s += i < 3;
    }
    return 1;
}

/* Of addresses with 16 bytes, any is possible. */
MODEL int inet_pton(int family, const char *text, unsigned char *result) {
    if (family == INET_FAMILY_4) {
        unsigned char bytes[4];
        if (!inet_read_strictly(text, bytes))
            return 0;
        for (int i = 0; i < 4; i++)
            result[i] = bytes[i];
        return 1;
    }
    if (family != INET_FAMILY_6) {
        errno = INET_NO_FAMILY;
        return -1;
    }
    text_read(text);
    check_write(result, 16, "inet_pton: the address is writable");
    if (__selkie_nondet_approx_bool())
        return 0;
    for (int i = 0; i < 16; i++)
        result[i] = (unsigned char)__selkie_nondet_approx_char();
    return 1;
}

/* Any text of 2 to 45 digits and colons. */
static int inet_write_any(char *to) {
    static const char characters[] = "0123456789abcdef:.";
    int n = __selkie_nondet_approx_int();
    sk_assume(n >= 2 && n <= 45);
    for (int i = 0; i < 45; i++)
        to[i] = i < n ? characters[(__selkie_nondet_approx_int() & 31) % 18] : 0;
    to[45] = 0;
    return n;
}

MODEL char *inet_ntop(int family, const unsigned char *address, char *to, unsigned room) {
    char text[46];
    int n = 0;
    if (family == INET_FAMILY_4) {
        check_read(address, 4, "inet_ntop: the address is readable");
        unsigned number = address[3];
        for (int i = 3; i-- > 0;)
            number = number << 8 | address[i];
        n = inet_write(text, number);
    } else if (family == INET_FAMILY_6) {
        check_read(address, 16, "inet_ntop: the address is readable");
        n = inet_write_any(text);
    } else {
        errno = INET_NO_FAMILY;
        return NULL;
    }
    check_write(to, room, "inet_ntop: the array has as many bytes as it is said to have");
    if ((unsigned)n >= room) {
        errno = INET_NO_ROOM;
        return NULL;
    }
    for (int i = 0; i < 46; i++)
        if (i <= n)
            to[i] = text[i];
    return to;
}
