// The size of a table, which nothing may wrap around.
#include <stdint.h>
#include <svcomp.h>

int main(void) {
    uint32_t rows = __VERIFIER_nondet_u32(), columns = 24;
    if (rows > UINT32_MAX / 20) return 0;  // The bug: another number of columns.
    return rows * columns == 48;
}
