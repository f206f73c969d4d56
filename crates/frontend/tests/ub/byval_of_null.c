// Passing a structure by value reads it.
// checks: deref
// violates: deref
struct big { int a[20]; };
static int f(struct big b) { return 0; }
int main(void) {
    struct big *p = 0;
    return f(*p);
}
