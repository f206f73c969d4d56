// A table of operations.
#include <svcomp.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int larger(int a, int b) { return a > b ? a : b; }

static int (*const operations[])(int, int) = {subtract, add, larger};  // The bug: the wrong order.

enum operation { ADD, SUBTRACT, LARGER };

int main(void) {
    int a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
    enum operation which = __VERIFIER_nondet_uint() % 3;
    int result = operations[which](a, b);
    if (which == ADD && result != a + b) reach_error();
    if (which == SUBTRACT && result + b != a) reach_error();
    if (which == LARGER && (result < a || result < b)) reach_error();
    return 0;
}
