// By a model of the library.
// checks: deref
// violates: deref
#include <string.h>
int main(void) {
    char a[2] = {'a', 'b'};
    return (int)strlen(a);
}
