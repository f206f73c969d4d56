// A number of records from outside; their total size wraps around in 32 bits.
#include <stdint.h>
#include <stdlib.h>
#include <svcomp.h>

struct record {
    int fields[4];
};

int main(void) {
    unsigned count = __VERIFIER_nondet_uint();
    if (count == 0 || count > 64) return 0;
    struct record *records = malloc(count * sizeof *records);
    if (!records) return 0;
    records[0].fields[3] = 1;
    records[count > 2 ? 2 : 0].fields[0] = 1;
    free(records);
    return 0;
}
