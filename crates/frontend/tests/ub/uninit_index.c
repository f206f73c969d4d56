// An address that depends on it.
// checks: uninit
// violates: uninit
static int table[16];
static int look(unsigned index) { return table[index % 16]; }
int main(void) {
    unsigned index;
    return look(index + 1);
}
