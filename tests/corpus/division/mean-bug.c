// The mean of the positive numbers among some.
#include <svcomp.h>

int main(void) {
    int count = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        int x = __VERIFIER_nondet_short();
        if (x > 0) {
            sum += x;
            count++;
        }
    }
    return sum / count;  // The bug: there may be none.
}
