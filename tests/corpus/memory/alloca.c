// Scratch space on the stack, as large as needed.
#include <alloca.h>
#include <svcomp.h>

static int digits(unsigned n, char *out) {
    int count = 0;
    do {
        out[count++] = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    return count;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 10000;
    int room = n < 10 ? 1 : n < 100 ? 2 : n < 1000 ? 3 : 4;
    char *text = alloca(room);
    return digits(n, text) != room;
}
