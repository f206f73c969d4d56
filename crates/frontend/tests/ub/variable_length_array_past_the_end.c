// The length is what it was at the declaration.
// checks: deref
// violates: deref
int main(int argc, char **argv) {
    int n = 3;
    int a[n];
    n = 5;
    a[4] = 1;
    return 0;
}
