// A macro that chooses by type.
#include <svcomp.h>

static int of_int(int x) { return x < 0 ? -1 : x > 0; }
static int of_unsigned(unsigned x) { return x > 0; }
static int of_double(double x) { return x < 0 ? -1 : x > 0; }

#define SIGN(x) _Generic((x), int: of_int, unsigned: of_unsigned, double: of_double, float: of_double)(x)

int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
    if (SIGN(u) < 0) reach_error();
    if (SIGN(-2.5f) != -1 || SIGN(-7) != -1 || SIGN(0.0) != 0) reach_error();
    return 0;
}
