// Encodes a character in UTF-8 and decodes it again.
#include <svcomp.h>

static int encode(unsigned c, unsigned char *out) {
    if (c < 0x80) {
        out[0] = (unsigned char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (unsigned char)(0xc0 | c >> 6);
        out[1] = (unsigned char)(0x80 | (c & 0x3f));
        return 2;
    }
    out[0] = (unsigned char)(0xe0 | c >> 12);
    out[1] = (unsigned char)(0x80 | (c >> 6 & 0x1f));  // The bug: one bit is lost.
    out[2] = (unsigned char)(0x80 | (c & 0x3f));
    return 3;
}

static unsigned decode(const unsigned char *in, int length) {
    unsigned c = length == 1 ? in[0] : in[0] & (0xffu >> (length + 1));
    for (int i = 1; i < length; i++) c = c << 6 | (in[i] & 0x3f);
    return c;
}

int main(void) {
    unsigned c = __VERIFIER_nondet_ushort();
    unsigned char bytes[3];
    int length = encode(c, bytes);
    if (decode(bytes, length) != c) reach_error();
    return 0;
}
