// What the programmer promises about an enumeration.
#include <svcomp.h>

enum colour { RED, GREEN, BLUE };

static int wavelength(enum colour c) {
    switch (c) {
    case RED: return 700;
    case GREEN: return 530;
    case BLUE: return 470;
    }
    __builtin_unreachable();
}

int main(void) {
    unsigned c = __VERIFIER_nondet_uint();
    if (c > BLUE + 1) return 0;  // The bug: a fourth colour.
    return wavelength((enum colour)c) == 530;
}
