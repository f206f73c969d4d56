// A buffer of two bytes holds a letter and an end, whichever branch made it.
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    if (x < 1 || x > 9) return 0;
    unsigned char *p = x < 5 ? malloc(2) : malloc(1); // The bug: one byte is not enough.
    p[0] = x;
    p[1] = 0;
    if (p[0] != x || p[1] != 0) reach_error();
    free(p);
    return 0;
}
