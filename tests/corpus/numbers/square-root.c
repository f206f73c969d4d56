// The integer square root, by trying bits from the top.
#include <svcomp.h>

static unsigned root(unsigned n) {
    unsigned result = 0;
    for (unsigned bit = 1u << 6; bit > 0; bit >>= 1) {
        unsigned tried = result | bit;
        if (tried * tried <= n) result = tried;
    }
    return result;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 1024;
    unsigned r = root(n);
    if (r * r > n || (r + 1) * (r + 1) <= n) reach_error();
    return 0;
}
