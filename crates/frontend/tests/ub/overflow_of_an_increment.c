// INT_MAX++.
// checks: overflow
// violates: overflow
int main(void) {
    int x = 0x7fffffff;
    x++;
    return 0;
}
