// Writes count as modifications where tracking is on, under both names.
// checks: assert
// violates: nothing
#include <seahorn/seahorn.h>
#include <selkie.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(8), *q = malloc(8);
    sk_reset_modified(p);
    sk_tracking_off();
    memset(p, 1, 8);
    *q = 1;
    sk_tracking_on();
    sk_assert(!sk_is_modified(p));
    sk_assert(!sk_is_modified(q));
    *p = 2;
    sk_assert(sk_is_modified(p));
    sea_tracking_off();
    p[1] = 3;
    q[1] = 3;
    sk_assert(sea_is_modified(p) && !sea_is_modified(q));
    return 0;
}
