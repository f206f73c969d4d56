// Writes a number and reads it back.
#include <stdio.h>
#include <stdlib.h>
#include <svcomp.h>

int main(void) {
    char text[8];
    static const int samples[] = {0, 7, -1, 42, 1000, -999};
    int n = samples[__VERIFIER_nondet_uint() % 6];
    int length = snprintf(text, sizeof text, "%d", n);
    if (length < 1 || length > 4) reach_error();
    if (atoi(text) != n) reach_error();
    return 0;
}
