// A loop with many rounds, all of them known.
#include <svcomp.h>

int main(void) {
    long sum = 0;
    for (int i = 1; i <= 20000; i++) sum += i;
    if (sum != 200000000) reach_error();  // The bug: n times n+1, halved.
    return 0;
}
