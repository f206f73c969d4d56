// The sizes of types where int, long and pointers have 32 bits.
#include <assert.h>
#include <stddef.h>

struct mixed {
    char c;
    double d;
    char e;
};

int main(void) {
    assert(sizeof(void *) == 4 && sizeof(long) == 4 && sizeof(long long) == 8);
    assert(offsetof(struct mixed, d) == 8 && sizeof(struct mixed) == 24);  // The bug: true with 64 bits.
    assert(sizeof(long double) == 12);
    return 0;
}
