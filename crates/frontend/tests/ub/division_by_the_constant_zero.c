// LLVM's own folding makes it poison.
// checks: div
// violates: div
int main(void) { return 1 / 0; }
