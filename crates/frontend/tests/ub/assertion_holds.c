// So does the conjunction.
// checks: assert
// violates: nothing
#include <assert.h>
int main(void) {
    int x = 1, y = 2;
    assert(x == 1 && y == 2);
    return 0;
}
