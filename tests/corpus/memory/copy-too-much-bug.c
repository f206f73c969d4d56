// Copies a packet whose length field comes from outside.
#include <stdint.h>
#include <string.h>
#include <svcomp.h>

struct packet {
    uint8_t length;
    uint8_t body[8];
};

int main(void) {
    struct packet p;
    uint8_t copy[8];
    p.length = __VERIFIER_nondet_uchar();
    memset(p.body, 1, sizeof p.body);
    if (p.length > sizeof p) return 0;  // The bug: nine bytes are too many.
    memcpy(copy, p.body, p.length);
    return p.length > 2 ? copy[1] : 0;
}
