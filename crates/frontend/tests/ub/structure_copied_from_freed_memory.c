// A copy of a structure is an access.
// checks: deref
// violates: deref
#include <stdlib.h>
struct s { int a[10]; };
int main(void) {
    struct s *p = malloc(sizeof *p), t;
    free(p);
    t = *p;
    return 0;
}
