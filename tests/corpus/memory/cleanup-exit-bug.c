// Leaving early through exit must clean up too.
#include <stdlib.h>
#include <svcomp.h>

static void *held;

static void drop(void) {
    free(held);
    held = NULL;
}

int main(void) {
    held = malloc(32);
    if (__VERIFIER_nondet_bool()) exit(3);
    drop();
    return 0;
}
