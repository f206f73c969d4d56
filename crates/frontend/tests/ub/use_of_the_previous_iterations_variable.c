// Each iteration has its own variable.
// checks: deref
// violates: deref
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        if (p)
            return *p;
        {
            int x = i;
            p = &x;
        }
    }
    return 0;
}
