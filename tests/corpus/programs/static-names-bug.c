// Two files, each with a static variable of the same name.
#include <svcomp.h>

static int count = 10;
extern int other_next(void);

int main(void) {
    int n = __VERIFIER_nondet_uint() % 3;
    for (int i = 0; i < n; i++) other_next();
    if (count != 10 || other_next() != 1) reach_error();  // The bug: it has gone on already.
    return 0;
}
