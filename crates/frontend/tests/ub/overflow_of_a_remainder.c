// INT_MIN % -1.
// checks: overflow
// violates: overflow
int main(void) {
    int x = -0x7fffffff - 1, y = -1;
    return x % y;
}
