// The variable is gone when its function has returned.
// checks: deref
// violates: deref
static int *f(void) {
    int x = 5;
    int *p = &x;
    return p;
}
int main(void) {
    int *p = f();
    return *p;
}
