// Joins two words in a buffer.
#include <string.h>
#include <svcomp.h>

int main(void) {
    char first[6] = "north", second[6] = "ocean";
    first[__VERIFIER_nondet_uint() % 6] = 0;
    second[__VERIFIER_nondet_uint() % 6] = 0;
    char joined[11];  // The bug: blank and terminator are two more.
    strcpy(joined, first);
    strcat(joined, " ");
    strcat(joined, second);
    return (int)strlen(joined);
}
