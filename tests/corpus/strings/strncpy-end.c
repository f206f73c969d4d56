// strncpy does not terminate what it cuts.
#include <string.h>
#include <svcomp.h>

int main(void) {
    char name[] = "kittiwake", shorter[8];
    name[8] = __VERIFIER_nondet_bool() ? 0 : 'e';
    name[4] = __VERIFIER_nondet_bool() ? 0 : 'w';
    strncpy(shorter, name, sizeof shorter);
    shorter[sizeof shorter - 1] = 0;
    return (int)strlen(shorter);
}
