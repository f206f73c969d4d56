// A bag of strings; removal moves the last into the gap.
#include <stdlib.h>
#include <svcomp.h>

static char *bag[4];
static int count;

static void remove_at(int i) {
    free(bag[i]);
    bag[i] = bag[--count];
}

int main(void) {
    for (; count < 4; count++) {
        bag[count] = malloc(3);
        if (!bag[count]) abort();
    }
    remove_at((int)(__VERIFIER_nondet_uint() % 4));
    remove_at(0);
    for (int i = 0; i < 4; i++) free(bag[i]);
    return 0;
}
