// Counts the pairs of different numbers.
#include <svcomp.h>

int main(void) {
    int pairs = 0;
    for (int i = 0; i < 40; i++)
        for (int j = i + 1; j < 40; j++) pairs++;
    if (pairs != 780) reach_error();
    return 0;
}
