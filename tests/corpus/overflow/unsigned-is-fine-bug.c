// Unsigned arithmetic wraps, and that is no overflow; the conversion to int is not one either.
#include <svcomp.h>

int main(void) {
    unsigned hash = 5381;
    for (int i = 0; i < 6; i++) hash = hash * 33 + __VERIFIER_nondet_uchar();
    int bucket = (int)hash;
    return -bucket % 16;  // The bug: the bucket may be the smallest int.
}
