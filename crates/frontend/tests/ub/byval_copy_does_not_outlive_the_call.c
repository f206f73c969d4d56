// A structure passed by value is the callee's own.
// checks: deref
// violates: deref
struct big { int a[20]; };
static int *f(struct big b) { return &b.a[3]; }
int main(void) {
    struct big b = {{0}};
    int *p = f(b);
    return *p;
}
