// 1 << 33 is 1 << 1.
// checks: reach
// violates: reach
void reach_error(void);
int main(void) {
    volatile int n = 33;
    if ((1u << n) == 2)
        reach_error();
    return 0;
}
