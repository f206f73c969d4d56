// Left.
// checks: shift
// violates: shift
int main(void) {
    int x = -1;
    return (x << 1) & 0;
}
