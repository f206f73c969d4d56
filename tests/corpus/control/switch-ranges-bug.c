// Case ranges, negative labels, and a switch on a wide type.
#include <svcomp.h>

static int classify(long long x) {
    switch (x) {
    case -10 ... -1:
        return -1;
    case 0:
        return 0;
    case 1 ... 8:  // The bug: nine is nowhere.
        return 1;
    case 0x100000000ll:
        return 2;
    }
    return 3;
}

int main(void) {
    long long x = __VERIFIER_nondet_longlong();
    int expected = x < -10 ? 3 : x < 0 ? -1 : x == 0 ? 0 : x < 10 ? 1 : x == 4294967296ll ? 2 : 3;
    if (classify(x) != expected) reach_error();
    return 0;
}
