// memmove would be right.
// checks: overlap
// violates: overlap
#include <string.h>
int main(void) {
    char a[8] = "1234567";
    memcpy(a, a + 1, 4);
    return 0;
}
