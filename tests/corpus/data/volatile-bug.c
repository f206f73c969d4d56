// A register of a device, in memory of our own: it keeps what is written.
#include <svcomp.h>

struct device {
    volatile unsigned status, data;
};

int main(void) {
    struct device d = {0, 0};
    const volatile unsigned *status = &d.status;
    d.data = __VERIFIER_nondet_uint();
    d.status |= 1;
    d.status &= ~1u;  // The bug: clears the bit that was just set.
    if (!(*status & 1)) reach_error();
    return 0;
}
