// A checksum by table and bit by bit.
#include <stdint.h>
#include <svcomp.h>

static uint8_t table[256];

static uint8_t step(uint8_t crc) {
    for (int i = 0; i < 8; i++) crc = crc & 0x80 ? (uint8_t)(crc << 1 ^ 0x07) : (uint8_t)(crc << 1);
    return crc;
}

int main(void) {
    for (int i = 0; i < 256; i++) table[i] = step((uint8_t)i);
    uint8_t message[3], quick = 0, slow = 0;
    for (int i = 0; i < 3; i++) {
        message[i] = __VERIFIER_nondet_uchar();
        quick = table[quick ^ message[i]];
        slow = step(slow ^ message[i]);
    }
    if (quick != slow) reach_error();
    return 0;
}
