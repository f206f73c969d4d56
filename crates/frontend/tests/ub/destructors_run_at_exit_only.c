// `exit` runs destructors, `_exit` does not.
// checks: reach
// violates: reach
#include <stdlib.h>
#include <unistd.h>
void reach_error(void);
static int where;
__attribute__((destructor)) static void last(void) {
    if (where == 1)
        reach_error();
}
int main(void) {
    where = 1;
    exit(3);
}
