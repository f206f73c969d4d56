// 1 << 31 does not fit.
// checks: shift
// violates: shift
int main(void) {
    int n = 31;
    return (1 << n) & 0;
}
