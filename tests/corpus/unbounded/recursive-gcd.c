// The greatest common divisor by subtraction is positive and no more than the first number.
#include <svcomp.h>

static int gcd(int a, int b) {
    if (a == b) return a;
    if (a > b) return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a <= 0 || b <= 0) return 0;
    int g = gcd(a, b);
    if (g <= 0 || g > a) reach_error();
    return 0;
}
