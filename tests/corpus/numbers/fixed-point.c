// Numbers with eight bits behind the point.
#include <stdint.h>
#include <svcomp.h>

typedef int32_t fixed;

static fixed from_int(int n) { return n * 256; }
static fixed multiply(fixed a, fixed b) {
    return (fixed)((int64_t)a * b / 256);
}

int main(void) {
    int n = __VERIFIER_nondet_schar();
    fixed half = 128, x = from_int(n) + 1;
    if (multiply(from_int(n), from_int(3)) != from_int(3 * n)) reach_error();
    if (multiply(x, half) != x / 2) reach_error();
    return 0;
}
