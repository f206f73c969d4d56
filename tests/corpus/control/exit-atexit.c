// What is registered last runs first.
#include <stdlib.h>
#include <svcomp.h>

static int order;

static void first(void) {
    if (order != 1) reach_error();
}

static void second(void) { order++; }

int main(void) {
    atexit(first);
    atexit(second);
    if (__VERIFIER_nondet_bool()) exit(0);
    return 0;
}
