// Nobody uses the quotient.
// checks: div
// violates: div
int main(void) {
    int x = 0;
    int y = 1 / x;
    (void)y;
    return 0;
}
