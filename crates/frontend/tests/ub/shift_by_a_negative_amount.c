// Right.
// checks: shift
// violates: shift
int main(void) {
    int n = -1, x = 5;
    return (x >> n) & 0;
}
