// A program may give up with abort; that is not the error.
#include <stdlib.h>
#include <svcomp.h>

static int require(int condition) {
    if (!condition) abort();
    return 1;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    require(x > 0 && x < 10);
    if (x * 5 > 45) reach_error();
    return 0;
}
