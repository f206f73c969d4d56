// The wide type of this machine keeps 64 bits of an integer.
#include <svcomp.h>

int main(void) {
    unsigned long long n = 0xfffffffffffffff1ull;
    long double x = n;
    if (x >= 18446744073709551616.0) reach_error();
    if ((unsigned long long)x != n) reach_error();
    return 0;
}
