// Two reads of it agree.
// checks: reach
// violates: nothing
void reach_error(void);
int main(void) {
    int x;
    int y = x;
    if (y != x)
        reach_error();
    return 0;
}
