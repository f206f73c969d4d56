// Unsigned as well.
// checks: div
// violates: div
int main(void) {
    unsigned x = 0;
    return 7 % x;
}
