// A buffer that is on the heap only if it is large.
#include <stdlib.h>
#include <string.h>
#include <svcomp.h>

int main(void) {
    char small[16], *buffer = small;
    size_t size = __VERIFIER_nondet_uchar();
    if (size > sizeof small) {
        buffer = malloc(size);
        if (!buffer) return 1;
    }
    memset(buffer, 0, size);
    if (buffer != small) free(buffer);
    return 0;
}
