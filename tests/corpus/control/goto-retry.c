// Tries up to three times, with gotos.
#include <svcomp.h>

int main(void) {
    int attempts = 0, done = 0;
retry:
    attempts++;
    if (__VERIFIER_nondet_bool()) {
        done = 1;
        goto out;
    }
    if (attempts < 3) goto retry;
out:
    if (attempts > 3) reach_error();
    if (!done && attempts != 3) reach_error();
    return 0;
}
