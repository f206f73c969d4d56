// The copy is not used.
// checks: deref
// violates: deref
#include <string.h>
int main(void) {
    char a[4], b[8] = "1234567";
    memcpy(a, b, 8);
    return 0;
}
