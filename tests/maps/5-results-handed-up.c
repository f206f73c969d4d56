// Each activation hands a variable of its own to the next one.
#include <selkie.h>

void length(unsigned n, unsigned *out) {
    unsigned rest = 0;
    if (n == 0) {
        *out = 0;
        return;
    }
    length(n - 1, &rest);
    *out = rest + 1;
}

int main(void) {
    unsigned n = sk_nondet_uint(), m = sk_nondet_uint(), r, s;
    length(n, &r);
    length(m, &s);
    sk_assert(r == n && s == m);
}
