// A variable is new in each iteration.
// checks: uninit
// violates: uninit
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int x, *p = &x;
        if (i == 0)
            *p = 5;
        if (x == 5)
            sum++;
    }
    return sum;
}
