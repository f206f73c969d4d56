// The way of 27 down to 1.
#include <svcomp.h>

int main(void) {
    unsigned n = 27, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    if (steps != 111) reach_error();
    return 0;
}
