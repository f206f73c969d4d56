// An error path that frees what the common path frees as well.
#include <stdlib.h>
#include <svcomp.h>

static int work(char *buffer, int size) {
    for (int i = 0; i < size; i++) buffer[i] = (char)i;
    return __VERIFIER_nondet_bool() ? 0 : -1;
}

int main(void) {
    char *buffer = malloc(6);
    if (!buffer) return 1;
    int status = work(buffer, 6);
    if (status != 0) {
        goto out;
    }
    buffer[0] = 'x';
out:
    free(buffer);
    return status;
}
