// A structure on the heap, of which every member is set, or not.
#include <stdlib.h>
#include <svcomp.h>

struct job {
    int id, priority;
};

int main(void) {
    struct job *j = malloc(sizeof *j);
    if (!j) return 0;
    j->id = __VERIFIER_nondet_int();
    if (j->id > 0) j->priority = 0;  // The bug: not for all of them.
    int urgent = 0;
    if (j->priority > 5) urgent = 1;
    free(j);
    return urgent;
}
