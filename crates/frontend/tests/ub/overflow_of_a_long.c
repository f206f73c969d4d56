// Every width.
// checks: overflow
// violates: overflow
int main(void) {
    long long x = 0x7fffffffffffffff;
    x += 1;
    return 0;
}
