// The sizes of types where long and pointers have 64 bits.
#include <assert.h>
#include <stddef.h>

struct mixed {
    char c;
    double d;
    char e;
};

int main(void) {
    assert(sizeof(void *) == 8 && sizeof(long) == 8 && sizeof(int) == 4);
    assert(offsetof(struct mixed, d) == 4 && sizeof(struct mixed) == 16);  // The bug: true with 32 bits.
    assert(sizeof(long double) == 16);
    return 0;
}
