// A slot of a hash table whose size comes from outside.
#include <svcomp.h>

static int slots[16];

int main(void) {
    unsigned size = __VERIFIER_nondet_uchar(), key = __VERIFIER_nondet_uint();
    if (size == 0 || size > 16) size = 16;
    slots[key % size] = 1;
    return slots[0];
}
