// The size of a table, which nothing may wrap around.
#include <stdint.h>
#include <svcomp.h>

int main(void) {
    uint32_t rows = __VERIFIER_nondet_u32(), columns = 24;
    if (rows > UINT32_MAX / columns) return 0;
    return rows * columns == 48;
}
