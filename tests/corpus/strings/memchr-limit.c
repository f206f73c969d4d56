// The first newline in a block of bytes that has no terminator.
#include <string.h>
#include <svcomp.h>

int main(void) {
    char block[4];
    for (int i = 0; i < 4; i++) block[i] = __VERIFIER_nondet_char();
    const char *found = memchr(block, '\n', sizeof block);
    int at = -1;
    for (int i = 3; i >= 0; i--)
        if (block[i] == '\n') at = i;
    if (found ? found - block != at : at != -1) reach_error();
    return 0;
}
