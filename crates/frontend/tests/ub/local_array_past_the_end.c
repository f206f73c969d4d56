// A constant index outside a local array.
// checks: deref
// violates: deref
int main(void) {
    int a[3];
    a[3] = 1;
    return 0;
}
