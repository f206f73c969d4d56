// The area of a picture: the product of two shorts is an int.
#include <svcomp.h>

int main(void) {
    short width = __VERIFIER_nondet_short(), height = __VERIFIER_nondet_short();
    return width * height == 640 * 480;
}
