// Large objects are filled as a whole.
// checks: reach
// violates: reach
void reach_error(void);
int main(void) {
    int a[100];
    if (a[7] == 0)
        reach_error();
    return 0;
}
