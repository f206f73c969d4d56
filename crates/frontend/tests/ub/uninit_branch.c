// A branch on a variable that nobody wrote.
// checks: uninit
// violates: uninit
int main(void) {
    int x;
    if (x)
        return 1;
    return 0;
}
