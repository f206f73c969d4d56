// The execution that divides by zero is assumed away.
// checks: reach
// violates: nothing
void reach_error(void);
int main(void) {
    volatile int zero = 0;
    int x = 1, y = zero;
    int q = x / y;
    if (y == 0)
        reach_error();
    return q;
}
