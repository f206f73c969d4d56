// Distances between pointers count elements.
#include <stddef.h>
#include <svcomp.h>

static const double *smallest(const double *first, const double *last) {
    const double *best = first;
    for (const double *p = first; p != last; p++)
        if (*p < *best) best = p;
    return best;
}

int main(void) {
    double values[4] = {3.0, 1.0, 2.0, 1.0};
    values[3] = __VERIFIER_nondet_bool() ? 1.0 : 5.0;
    ptrdiff_t at = smallest(values, values + 4) - values;
    if (at != 1) reach_error();
    if ((char *)&values[2] - (char *)values != 16) reach_error();
    return 0;
}
