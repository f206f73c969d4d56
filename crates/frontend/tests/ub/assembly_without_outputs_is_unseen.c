// It tells a device something, and the program nothing.
// checks: reach
// violates: reach
void reach_error(void);
int main(void) {
    unsigned char value = 1;
    unsigned short port = 2;
    __asm__ volatile("outb %b0, %w1" : : "a"(value), "Nd"(port));
    if (value == 1)
        reach_error();
    return 0;
}
