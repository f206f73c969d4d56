// An interpreter whose instructions jump to the next one's label.
#include <svcomp.h>

int main(void) {
    static void *const labels[] = {&&halt, &&add, &&twice};
    unsigned char code[4] = {1, 2, 1, 0};
    int x = __VERIFIER_nondet_uint() % 50, start = x, at = 0;
    goto *labels[code[at++]];
add:
    x += 3;
    goto *labels[code[at++]];
twice:
    x *= 2;
    goto *labels[code[at++]];
halt:
    if (x != 2 * start + 6) reach_error();  // The bug: the first sum is doubled as well.
    return 0;
}
