// It is an obligation where it stands.
// checks: assert
// violates: unsupported
int main(void) {
    int x;
    __asm__ volatile("movl $1, %0" : "=r"(x));
    return x;
}
