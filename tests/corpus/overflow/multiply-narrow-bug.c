// The area of a picture: the product of two shorts is an int.
#include <svcomp.h>

int main(void) {
    unsigned short width = __VERIFIER_nondet_ushort(), height = __VERIFIER_nondet_ushort();  // The bug: 65535 * 65535.
    return width * height == 640 * 480;
}
