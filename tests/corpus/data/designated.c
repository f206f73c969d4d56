// Initialisers by name and by index; what is not named is zero.
#include <svcomp.h>

enum key { UP = 3, DOWN = 5, KEYS };

static const struct {
    const char *name;
    int step[2];
} keys[KEYS] = {
    [UP] = {.name = "up", .step = {[1] = -1}},
    [DOWN] = {.name = "down", .step = {[1] = 1}},
};

int main(void) {
    unsigned key = __VERIFIER_nondet_uint();
    if (key >= KEYS) return 0;
    if (!keys[key].name && (keys[key].step[0] || keys[key].step[1])) reach_error();
    if (keys[key].name && keys[key].step[0] != 0) reach_error();
    if (keys[key].name && keys[key].step[1] != (int)key - 4) reach_error();
    return 0;
}
