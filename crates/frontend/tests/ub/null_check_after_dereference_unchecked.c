// Without the check the access ends the execution, as it does on the machine.
// checks: reach
// violates: nothing
void reach_error(void);
static int f(int *p) {
    int x = *p;
    if (!p)
        reach_error();
    return x;
}
int main(void) { return f(0); }
