// Reads a number out of a message.
#include <stdint.h>
#include <string.h>
#include <svcomp.h>

static uint32_t number_at(const unsigned char *message, unsigned offset) {
    return *(const uint32_t *)(message + offset);  // The bug: not every offset is a multiple of four.
}

int main(void) {
    _Alignas(8) unsigned char message[12] = {0};
    return number_at(message, __VERIFIER_nondet_uint() % 9) != 0;
}
