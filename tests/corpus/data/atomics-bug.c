// Atomic operations, by one thread.
#include <stdatomic.h>
#include <svcomp.h>

static atomic_int balance = 100;

static int withdraw(int amount) {
    int seen = atomic_load(&balance);
    while (seen > amount)  // The bug: the last coin cannot be had.
        if (atomic_compare_exchange_weak(&balance, &seen, seen - amount)) return 1;
    return 0;
}

int main(void) {
    int amount = 1 + __VERIFIER_nondet_uint() % 100;
    int before = atomic_fetch_add(&balance, 0);
    int done = withdraw(amount);
    if (!done) reach_error();
    if (atomic_load(&balance) != before - amount) reach_error();
    if (atomic_fetch_sub(&balance, 5) != before - amount) reach_error();
    return 0;
}
