// Sorts with the library and a comparison of our own.
#include <stdlib.h>
#include <svcomp.h>

static int compare(const void *a, const void *b) {
    int x = *(const short *)a, y = *(const short *)b;
    return (signed char)(x - y);  // The bug: the difference is cut.
}

int main(void) {
    short values[3];
    for (int i = 0; i < 3; i++) values[i] = __VERIFIER_nondet_short();
    qsort(values, 3, sizeof values[0], compare);
    if (values[0] > values[1] || values[1] > values[2]) reach_error();
    return 0;
}
