// 46341 squared.
// checks: overflow
// violates: overflow
int main(void) {
    int x = 46341;
    return x * x == 0;
}
