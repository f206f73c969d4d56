// A copy whose loop is unrolled four times and entered in the middle.
#include <svcomp.h>

static void copy(char *to, const char *from, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
    case 3:
            *to++ = *from++;
    case 2:
            *to++ = *from++;
    case 1:
            *to++ = *from++;
        } while (rounds-- > 2);  // The bug: eight bytes are copied as four.
    }
}

int main(void) {
    char from[9], to[9] = {0};
    int count = 1 + __VERIFIER_nondet_uint() % 8;
    for (int i = 0; i < 9; i++) from[i] = (char)(i + 1);
    copy(to, from, count);
    for (int i = 0; i < 9; i++)
        if (to[i] != (i < count ? i + 1 : 0)) reach_error();
    return 0;
}
