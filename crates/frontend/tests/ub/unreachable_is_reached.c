// LLVM would delete the branch.
// checks: unreachable
// violates: unreachable
int main(void) {
    volatile int x = 1;
    if (x)
        __builtin_unreachable();
    return 0;
}
