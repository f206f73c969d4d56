// Structures as parameters and results are copies.
#include <svcomp.h>

struct vector {
    int x, y, z;
};

static struct vector add(struct vector a, struct vector b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
    return a;
}

static int length1(struct vector v) {
    v.x = v.x < 0 ? -v.x : v.x;
    return v.x + v.y + v.z;
}
#define LENGTH(v) length1(v)

int main(void) {
    struct vector a = {__VERIFIER_nondet_short(), 1, 2}, b = {.z = 5};
    struct vector before = a, c = add(a, b);
    LENGTH(a);
    if (a.x != before.x || c.z != 7 || c.x != before.x) reach_error();
    return 0;
}
