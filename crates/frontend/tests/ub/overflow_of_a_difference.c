// INT_MIN minus one.
// checks: overflow
// violates: overflow
int main(void) {
    int x = -0x7fffffff - 1;
    return (x - 1) & 0;
}
