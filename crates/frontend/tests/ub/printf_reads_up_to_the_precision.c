// Three letters need no terminator.
// checks: deref
// violates: nothing
#include <stdio.h>
int main(void) {
    char text[3] = {'a', 'b', 'c'};
    printf("%.3s|%.*s|%5d%%\n", text, 2, text, 7);
    fprintf(stderr, "%s\n", "end");
    return 0;
}
