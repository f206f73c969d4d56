// Without the check x + 1 > x is false here.
// checks: reach
// violates: reach
void reach_error(void);
static int f(int x) { return x + 1 > x; }
int main(void) {
    if (!f(0x7fffffff))
        reach_error();
    return 0;
}
