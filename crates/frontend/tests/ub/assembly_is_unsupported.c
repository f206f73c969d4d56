// It is an obligation where it stands.
// checks: assert
// violates: unsupported
int main(void) {
    int x;
    __asm__ volatile("call 1f; 1:" : "=r"(x));
    return x;
}
