// -INT_MIN.
// checks: overflow
// violates: overflow
int main(void) {
    int x = -0x7fffffff - 1;
    return -x & 0;
}
