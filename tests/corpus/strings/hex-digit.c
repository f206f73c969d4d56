// Hexadecimal digits and their values.
#include <ctype.h>
#include <svcomp.h>

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

int main(void) {
    char c = __VERIFIER_nondet_char();
    int value = digit_value(c);
    if ((value >= 0) != (isxdigit((unsigned char)c) != 0)) reach_error();
    if (value >= 0 && "0123456789abcdef"[value] != tolower((unsigned char)c)) reach_error();
    return 0;
}
