// Nobody uses the sum.
// checks: overflow
// violates: overflow
int main(void) {
    int x = 0x7fffffff;
    x = x + 1;
    return 0;
}
