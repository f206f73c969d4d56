// Transfers between accounts keep the total.
#include <svcomp.h>

#define ACCOUNTS 3

static int balance[ACCOUNTS] = {100, 50, 0};

static void transfer(unsigned from, unsigned to, int amount) {
    if (from >= ACCOUNTS || to >= ACCOUNTS || amount < 0 || balance[from] < amount) return;
    balance[from] -= amount;
    balance[to] += amount;
}

int main(void) {
    for (int i = 0; i < 2; i++) transfer(__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar(), __VERIFIER_nondet_short());
    int total = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        if (balance[i] < 0) reach_error();
        total += balance[i];
    }
    if (total != 150) reach_error();
    return 0;
}
