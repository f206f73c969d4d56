// A reader changes nothing, a writer does.
#include <selkie.h>
#include <svcomp.h>

struct point {
    int x, y;
};

// The bug: a reader that writes.
static int sum(struct point *p) { return p->x += p->y; }

int main(void) {
    struct point p = {1, 2};
    sk_reset_modified(&p);
    if (sum(&p) != 3 || sk_is_modified(&p)) reach_error();
    return 0;
}
