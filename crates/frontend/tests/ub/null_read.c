// The value read is not used.
// checks: deref
// violates: deref
int main(void) {
    int *p = 0;
    (void)*(volatile int *)p;
    return 0;
}
