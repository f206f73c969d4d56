// What is registered last runs first.
#include <stdlib.h>
#include <svcomp.h>

static int order;

static void first(void) {
    if (order != 0) reach_error();  // The bug: it was registered first, so it runs last.
}

static void second(void) { order++; }

int main(void) {
    atexit(first);
    atexit(second);
    if (__VERIFIER_nondet_bool()) exit(0);
    return 0;
}
