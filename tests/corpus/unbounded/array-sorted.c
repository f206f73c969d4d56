// Beyond what is said of single elements: each is at most the next one.
#include <svcomp.h>

int main(void) {
    int a[100000];
    a[0] = 0;
    for (int i = 1; i < 100000; i++) a[i] = a[i - 1] + (__VERIFIER_nondet_bool() ? 1 : 0);
    for (int i = 1; i < 100000; i++)
        if (a[i - 1] > a[i]) reach_error();
    return 0;
}
