// A function that is not there returns anything, but twice the same is not promised.
#include <svcomp.h>

extern int sensor(int channel);

int main(void) {
    int value = sensor(1), again = sensor(1);  // The bug: asks twice.
    if (value != again) reach_error();
    return 0;
}
