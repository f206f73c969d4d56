// Sums of tenths are not exact; sums of quarters are.
#include <svcomp.h>

int main(void) {
    double sum = 0;
    const double part = 0.1;  // The bug: a tenth has no finite binary fraction.
    for (int i = 0; i < 8; i++) sum += part;
    if (sum != 8 * part) reach_error();
    return 0;
}
