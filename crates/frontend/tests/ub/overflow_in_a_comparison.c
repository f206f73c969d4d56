// LLVM would fold x + 1 > x to true.
// checks: overflow
// violates: overflow
static int f(int x) { return x + 1 > x; }
int main(void) { return f(0x7fffffff); }
