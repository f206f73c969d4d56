// Reads `key=value;` from a packet of any bytes; a key that does not fit is cut.
#include <selkie.h>

enum { MOST = 6 };

static int parse(const unsigned char *packet, unsigned length, char *key, unsigned room)
{
    unsigned i = 0, n = 0;
    while (i < length && packet[i] != '=') {
        if (n < room)
            key[n++] = (char)packet[i];
        i++;
    }
    if (i == length)
        return -1;
    key[n] = 0;
    return (int)n;
}

int main(void)
{
    unsigned char packet[MOST];
    unsigned length = sk_nondet_uint();
    sk_assume(length <= MOST);
    sk_havoc(packet, sizeof packet);
    char key[4];
    int n = parse(packet, length, key, sizeof key - 1);
    sk_assert(n < (int)sizeof key);
    return 0;
}
