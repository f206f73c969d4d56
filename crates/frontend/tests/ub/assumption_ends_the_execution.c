// What is assumed away does not count.
// checks: reach
// violates: nothing
void __VERIFIER_assume(int);
void reach_error(void);
int main(void) {
    int x = 1;
    __VERIFIER_assume(x == 2);
    reach_error();
    return 0;
}
