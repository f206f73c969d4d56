// C's own.
// checks: assert
// violates: assert
#include <assert.h>
int main(void) {
    int x = 1;
    assert(x == 2);
    return 0;
}
