// Writing one bit-field leaves its neighbours alone, also across a storage unit.
#include <assert.h>
#include <selkie.h>
#include <string.h>

struct header {
    unsigned version : 4, length : 4, service : 8;
    unsigned total : 16;
    unsigned long long id : 40, flags : 3, offset : 13;
};

int main(void) {
    struct header h;
    memset(&h, 0, sizeof h);
    h.version = sk_nondet_uint();
    h.id = sk_nondet_ulonglong();
    h.offset = 0x1abc;
    unsigned version = h.version;
    unsigned long long id = h.id;
    h.length = 5;
    h.flags = sk_nondet_uint();
    h.total = 1500;
    assert(h.version == version);
    assert(h.id == id && h.offset == 0x1abc);
    assert(h.length == 5 && h.total == 1500 && h.service == 0);
    return 0;
}
