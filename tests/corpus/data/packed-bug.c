// A header as it is on the wire: no gaps, and the first byte is the highest.
#include <stdint.h>
#include <string.h>
#include <svcomp.h>

struct __attribute__((packed)) header {
    uint8_t kind;
    uint32_t size;
    uint16_t check;
};

int main(void) {
    uint8_t wire[7] = {1, 0, 0, 2, 3, 0xab, 0xcd};
    wire[1] = __VERIFIER_nondet_uchar();
    struct header h;
    if (sizeof h != sizeof wire) reach_error();
    memcpy(&h, wire, sizeof h);
    uint32_t size = h.size;  // The bug: the bytes are in the other order.
    if (size % 256 != 3 || (size >> 24) != wire[1]) reach_error();
    return 0;
}
