// Without the check the test is still made.
// checks: reach
// violates: reach
void reach_error(void);
static int f(int *p) {
    int x = *p;
    if (!p)
        reach_error();
    return x;
}
int main(void) { return f(0); }
