// Sums the squares of the first numbers.
#include <svcomp.h>

#define COUNT 10

int main(void) {
    int squares[COUNT], sum = 0;
    for (int i = 0; i <= COUNT; i++) squares[i] = i * i;  // The bug: one too many.
    for (int i = 0; i < COUNT; i++) sum += squares[i];
    if (sum != 285) reach_error();
    return 0;
}
