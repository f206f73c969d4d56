// `exit` runs destructors, `_exit` does not.
// checks: reach
// violates: nothing
#include <unistd.h>
void reach_error(void);
__attribute__((destructor)) static void last(void) { reach_error(); }
int main(void) { _exit(3); }
