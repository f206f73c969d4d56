// A loop with many rounds, all of them known.
#include <svcomp.h>

int main(void) {
    long sum = 0;
    for (int i = 1; i <= 20000; i++) sum += i;
    if (sum != 200010000) reach_error();
    return 0;
}
