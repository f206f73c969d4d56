// Past the end of the address space.
// checks: pointer-overflow
// violates: pointer-overflow
int main(void) {
    char a[4];
    char *p = a;
    unsigned long n = -1ul;
    n -= 16;
    char *q = p + n;
    return q == p;
}
