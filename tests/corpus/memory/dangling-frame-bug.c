// A function that hands out a buffer.
#include <svcomp.h>

static const char *digit_name(int d) {
    char name[2];  // The bug: gone when the function returns.
    name[0] = (char)('0' + d % 10);
    name[1] = 0;
    const char *result = name;
    return result;
}

int main(void) {
    const char *name = digit_name(__VERIFIER_nondet_uchar());
    return name[0] == '4';
}
