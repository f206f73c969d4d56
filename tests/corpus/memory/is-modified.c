// A reader changes nothing, a writer does.
#include <selkie.h>
#include <svcomp.h>

struct point {
    int x, y;
};

static int sum(const struct point *p) { return p->x + p->y; }
static void move(struct point *p, int by) { p->x += by; }

int main(void) {
    struct point p = {1, 2};
    sk_reset_modified(&p);
    if (sum(&p) != 3 || sk_is_modified(&p)) reach_error();
    move(&p, 1);
    if (!sk_is_modified(&p)) reach_error();
    return 0;
}
