// A serial port: registers of a device, which may say anything at any time.
#include <stdint.h>
#include <selkie.h>

#define UART ((volatile struct uart *)0x40001000)

struct uart {
    uint32_t status, data;
};

enum { READY = 1, LIMIT = 4 };

static int receive(uint8_t *buffer, unsigned room)
{
    unsigned n = 0;
    for (unsigned tries = 0; tries < LIMIT; tries++) {
        if (UART->status & READY)
            buffer[n++] = (uint8_t)UART->data;
        if (n == room)
            break;
    }
    return (int)n;
}

int main(void)
{
    uint8_t buffer[3];
    int n = receive(buffer, sizeof buffer);
    sk_assert(n >= 0 && n <= 3);
    return 0;
}
