// Two branches lead to the failure.
// checks: assert
// violates: assert
#include <assert.h>
int main(void) {
    int x = 1, y = 3;
    assert(x == 1 && y == 2);
    return 0;
}
