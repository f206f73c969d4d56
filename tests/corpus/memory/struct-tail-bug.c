// A name inside a record; the object is large enough, the array is not.
#include <svcomp.h>

struct record {
    char name[4];
    int age;
};

int main(void) {
    struct record r = {"abc", 7};
    unsigned at = __VERIFIER_nondet_uint();
    if (at >= sizeof r) return 0;  // The bug: the size of the record, not of the name.
    r.name[at] = 0;
    return r.age;
}
