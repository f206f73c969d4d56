// Permissions as a set of enumerators.
#include <svcomp.h>

enum permission { READ = 1, WRITE = 2, EXECUTE = 4, ALL = READ | WRITE | EXECUTE };

static enum permission without(enum permission set, enum permission gone) {
    return set & ~gone;
}

int main(void) {
    enum permission set = __VERIFIER_nondet_uint() & ALL, gone = __VERIFIER_nondet_uint() & ALL;
    enum permission rest = without(set, gone);
    if (rest & gone) reach_error();
    if ((rest | set) != set) reach_error();
    return 0;
}
