// The variable of the last round is gone, although another one has its place.
// checks: deref
// violates: deref
int *kept;
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (i == 2)
            sum += *kept;
        kept = &x;
    }
    return sum;
}
