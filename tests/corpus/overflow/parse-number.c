// Reads a number from digits.
#include <limits.h>
#include <svcomp.h>

static int parse(const char *text) {
    int value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        int digit = *text - '0';
        if (value > (INT_MAX - digit) / 10) return -1;
        value = value * 10 + digit;
    }
    return value;
}

int main(void) {
    char text[] = "214748364?";
    text[9] = __VERIFIER_nondet_char();
    return parse(text) == 7;
}
