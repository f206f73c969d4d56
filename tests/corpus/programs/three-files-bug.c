// A log that several parts write to; the size comes from the command line of the compiler.
#include <log.h>
#include <svcomp.h>

int main(void) {
    unsigned events = __VERIFIER_nondet_uint() % 8;
    for (unsigned i = 0; i < events; i++) log_put((int)i);
    return log_last();
}
