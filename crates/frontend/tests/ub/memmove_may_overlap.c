// It does what memcpy must not.
// checks: overlap,deref
// violates: nothing
#include <string.h>
int main(void) {
    char a[8] = "1234567";
    memmove(a, a + 1, 4);
    return a[0] - '2';
}
