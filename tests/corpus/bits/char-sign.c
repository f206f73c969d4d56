// Is a character a letter with the highest bit set? Plain char is signed here.
#include <svcomp.h>

static int is_high(char c) {
    return (unsigned char)c >= 0x80;
}

int main(void) {
    char c = __VERIFIER_nondet_char();
    int expected = (c & 0x80) != 0;
    if (is_high(c) != expected) reach_error();
    return 0;
}
