// The variable is gone when its block is left.
// checks: deref
// violates: deref
int main(void) {
    int *p;
    {
        int x = 5;
        p = &x;
    }
    return *p;
}
