// A field of a report.
#include <stdio.h>
#include <svcomp.h>

int main(void) {
    unsigned hours = __VERIFIER_nondet_uint() % 24, minutes = __VERIFIER_nondet_uint() % 60;
    char clock[5];  // The bug: five characters and a terminator.
    sprintf(clock, "%02u:%02u", hours, minutes);
    return clock[2] != ':';
}
