//! --checks deref --opt 2 --malloc-may-fail
// A branch, so that nothing is allocated when it fails.
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    if (!p)
        return 1;
    *p = 3;
    free(p);
    return 0;
}
//; main.deref.1 "invalid write of 4 bytes" at allocation_may_fail.c:8:8
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v1 = nondet.i1 input
//;     branch v1, b4(null), b3
//; b1:
//;     v5 = is_deref.write v2, 4
//;     check o0, v5
//;     store.i32 v2, 3 align 4
//;     free v2
//;     jump b2(0:i32)
//; b2(v0: i32):
//;     return v0
//; b3:
//;     v3 = alloc.heap 4 align 16
//;     jump b4(v3)
//; b4(v2: ptr):
//;     v4 = eq.ptr v2, null
//;     branch v4, b2(1:i32), b1
//; }
