// A number has at least one digit.
#include <svcomp.h>

static int digits(unsigned n) {
    int count = 0;
    do {
        count++;
        n /= 10;
    } while (n);
    return count;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 2000;
    int expected = n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4;
    if (digits(n) != expected) reach_error();
    return 0;
}
