// No element is more than the greatest.
#include <svcomp.h>

int main(void) {
    int a[200000];
    for (int i = 0; i < 200000; i++) a[i] = __VERIFIER_nondet_int();
    int greatest = a[0];
    for (int i = 1; i < 199999; i++) // The bug: the last one is not looked at.
        if (a[i] > greatest) greatest = a[i];
    for (int i = 0; i < 200000; i++)
        if (a[i] > greatest) reach_error();
    return 0;
}
