// It changes nothing.
// checks: reach
// violates: nothing
void reach_error(void);
int main(void) {
    int x = 1;
    __asm__ volatile("" : "+r"(x) : : "memory");
    if (x != 1)
        reach_error();
    return 0;
}
