// Defined, and a check of its own.
// checks: unsigned-overflow
// violates: unsigned-overflow
int main(void) {
    unsigned x = 0xffffffff;
    x = x + 1;
    return 0;
}
