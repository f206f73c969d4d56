/* random_test.c: random numbers whose state is the program's. */
#define _GNU_SOURCE
#include "any.h"

MODEL_OF(erand48);
MODEL_OF(nrand48);
MODEL_OF(jrand48);
MODEL_OF(seed48);
MODEL_OF(lcong48);

int main(void) {
    double real = 0;
    long value = 0;
    unsigned short *state = guarded(0, 3 * sizeof *state), *before = NULL, *seven = guarded(1, 7 * sizeof *seven);
    ALWAYS("erand48", real = model_erand48(state), real >= 0 && real < 1);
    ALWAYS("nrand48", value = model_nrand48(state), value >= 0 && value <= 2147483647);
    ALWAYS("jrand48", value = model_jrand48(state), value >= -2147483647 - 1 && value <= 2147483647);
    ALWAYS("seed48", before = model_seed48(state), before && before != state);
    ALWAYS("lcong48", model_lcong48(seven), 1);
    VIOLATES("erand48", model_erand48(state + 1));
    VIOLATES("nrand48", model_nrand48(state + 1));
    VIOLATES("jrand48", model_jrand48(state + 1));
    VIOLATES("seed48", model_seed48(state + 1));
    VIOLATES("lcong48", model_lcong48(seven + 1));
}
