// Visits the elements of an array with a function and its context.
#include <stddef.h>
#include <svcomp.h>

typedef int (*visitor)(int item, void *context);

static int visit(const int *items, size_t count, visitor function, void *context) {
    for (size_t i = 0; i < count; i++)
        if (!function(items[i], context)) return 0;
    return 1;
}

static int sum_up(int item, void *context) {
    *(int *)context += item;
    return 1;
}

static int until_zero(int item, void *context) {
    (void)context;
    return item != 0;
}

int main(void) {
    int items[3] = {__VERIFIER_nondet_short(), __VERIFIER_nondet_short(), __VERIFIER_nondet_short()}, sum = 0;
    visit(items, 3, sum_up, &sum);
    if (sum != items[0] + items[1] + items[2]) reach_error();
    int all = visit(items, 3, until_zero, NULL);
    if (all != (items[0] && items[1] && items[2])) reach_error();
    return 0;
}
