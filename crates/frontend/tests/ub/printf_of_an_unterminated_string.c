// The format is known, and so is what is read.
// checks: deref
// violates: deref
#include <stdio.h>
int main(void) {
    char text[3] = {'a', 'b', 'c'};
    printf("%d %s\n", 1, text);
    return 0;
}
