// The usual ladder of labels that undo what has been done.
#include <stdlib.h>
#include <svcomp.h>

static int start(void) {
    int status = -1;
    char *a = NULL, *b;
    if (!__VERIFIER_nondet_bool()) goto out;
    a = malloc(4);
    if (!a) goto out;
    if (!__VERIFIER_nondet_bool()) goto free_a;
    b = malloc(8);
    if (!b) goto free_a;
    b[7] = a[3] = 0;
    status = 0;
    free(b);
free_a:
    free(a);
    free(b);  // The bug: not set on one way, freed already on the other.
out:
    return status;
}

int main(void) { return start(); }
