// LLVM may not assume that the loop ends.
// checks: reach
// violates: limit
void reach_error(void);
int main(void) {
    volatile int x = 1;
    int y = x;
    while (y) {
    }
    reach_error();
    return 0;
}
