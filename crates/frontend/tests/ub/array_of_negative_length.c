// A length is positive.
// checks: unreachable
// violates: unreachable
int main(void) {
    volatile int n = -1;
    int a[n];
    a[0] = 1;
    return 0;
}
