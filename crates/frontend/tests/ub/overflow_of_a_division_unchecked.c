// Without the check it wraps.
// checks: reach
// violates: reach
void reach_error(void);
int main(void) {
    volatile int x = -0x7fffffff - 1, y = -1;
    if (x / y == x && x % y == 0)
        reach_error();
    return 0;
}
