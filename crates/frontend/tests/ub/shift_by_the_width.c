// Left.
// checks: shift
// violates: shift
int main(void) {
    int n = 32;
    unsigned x = 1;
    return (int)(x << n) & 0;
}
