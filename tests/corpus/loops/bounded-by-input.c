// Multiplies by adding.
#include <svcomp.h>

int main(void) {
    unsigned a = __VERIFIER_nondet_uint() % 16, b = __VERIFIER_nondet_uint() % 16, product = 0;
    for (unsigned i = 0; i < b; i++) product += a;
    if (product != a * b) reach_error();
    return 0;
}
