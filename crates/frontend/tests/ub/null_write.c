// LLVM would make this unreachable.
// checks: deref
// violates: deref
int main(void) {
    int *p = 0;
    *p = 1;
    return 0;
}
