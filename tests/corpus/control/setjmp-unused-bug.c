// An escape by longjmp that no input can take; what would take it is not modelled.
#include <setjmp.h>
#include <svcomp.h>

static jmp_buf escape;

static int checked(int x) {
    if (x < 0) longjmp(escape, 1);
    return x + 1;
}

int main(void) {
    if (setjmp(escape)) return 1;
    int x = __VERIFIER_nondet_uchar();
    if (checked(x) <= 255) reach_error();  // The bug: most bytes are smaller.
    return 0;
}
