// A negative index.
// checks: deref
// violates: deref
int g[4];
int main(void) {
    int i = -1;
    g[i] = 1;
    return 0;
}
