// It is computed as int and cut.
// checks: overflow
// violates: nothing
int main(void) {
    short x = 0x7fff;
    x++;
    return 0;
}
