// Finds the first repeated digit.
#include <svcomp.h>

int main(void) {
    unsigned char digits[5];
    int seen[10] = {0}, first = -1;
    for (int i = 0; i < 5; i++) digits[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 5; i++) {
        if (digits[i] > 9) continue;
        if (seen[digits[i]]++) {
            first = i;
            break;
        }
    }
    if (first >= 0)
        for (int i = 0; i < first; i++)
            for (int j = 0; j < i; j++)
                if (digits[i] == digits[j] && digits[i] <= 9) reach_error();
    return 0;
}
