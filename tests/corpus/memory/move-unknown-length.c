// memmove of a length that is not known does what a loop over bytes does.
#include <string.h>
#include <svcomp.h>

int main(void) {
    unsigned char a[8], b[8];
    for (int i = 0; i < 8; i++) a[i] = b[i] = __VERIFIER_nondet_uchar();
    unsigned n = __VERIFIER_nondet_uint(), from = __VERIFIER_nondet_uint();
    if (n > 4 || from > 4) return 0;
    memmove(a + 2, a + from, n);
    unsigned char copy[8];
    for (unsigned i = 0; i < n; i++) copy[i] = b[from + i];
    for (unsigned i = 0; i < n; i++) b[2 + i] = copy[i];
    for (int i = 0; i < 8; i++)
        if (a[i] != b[i]) reach_error();
    return 0;
}
