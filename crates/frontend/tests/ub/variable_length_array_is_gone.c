// It lives as long as its block.
// checks: deref
// violates: deref
int main(void) {
    int *p = 0;
    for (int n = 1; n < 3; n++) {
        if (p)
            return *p;
        int a[n];
        a[0] = 1;
        p = a;
    }
    return 0;
}
