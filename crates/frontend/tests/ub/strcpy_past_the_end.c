// By a model of the library.
// checks: deref
// violates: deref
#include <string.h>
int main(void) {
    char a[4];
    strcpy(a, "1234");
    return 0;
}
