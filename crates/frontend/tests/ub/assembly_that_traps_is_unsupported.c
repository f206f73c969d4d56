// Nothing behind it is reached, and nobody says so.
// checks: reach
// violates: unsupported
void reach_error(void);
int main(void) {
    __asm__ volatile("1: ud2");
    reach_error();
    return 0;
}
