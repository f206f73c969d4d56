// Another variable in each round, and each is there while its round lasts.
// checks: deref
// violates: nothing
int *kept;
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        kept = &x;
        if (i == 2)
            sum += *kept;
    }
    return sum;
}
