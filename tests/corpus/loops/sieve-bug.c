// Counts primes with a sieve.
#include <svcomp.h>

#define LIMIT 100

static _Bool composite[LIMIT];

int main(void) {
    int primes = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i]) continue;
        primes++;
        for (int j = i * i * i; j < LIMIT; j += i) composite[j] = 1;  // The bug: begins too late.
    }
    if (primes != 25) reach_error();
    return 0;
}
