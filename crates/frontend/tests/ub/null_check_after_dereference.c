// The access, not the test that LLVM would delete.
// checks: reach,deref
// violates: deref
#include <stdlib.h>
void reach_error(void);
static int f(int *p) {
    int x = *p;
    if (!p)
        reach_error();
    return x;
}
int main(void) { return f(0); }
