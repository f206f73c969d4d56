// The branch may go either way: here it goes wrong for the value 0.
// checks: reach
// violates: reach
void reach_error(void);
int main(void) {
    int x;
    if (x == 0)
        reach_error();
    return 0;
}
