//! --checks deref,overlap --opt 2
// Library functions on ranges are operations of the IR.
#include <string.h>
int main(void) {
    char a[40], b[40];
    memset(a, 1, sizeof a);
    memcpy(b, a + 1, 30);
    memmove(b + 1, b, 20);
    return memcmp(a, b, 10);
}
//; main.deref.1 "invalid write of 40 bytes" at copies_and_fills.c:6:5
//; main.deref.2 "invalid read of 30 bytes" at copies_and_fills.c:7:5
//; main.deref.3 "invalid write of 30 bytes" at copies_and_fills.c:7:5
//; main.overlap.1 "the ranges of memcpy overlap" at copies_and_fills.c:7:5
//; main.deref.4 "invalid read of 20 bytes" at copies_and_fills.c:8:5
//; main.deref.5 "invalid write of 20 bytes" at copies_and_fills.c:8:5
//; main.deref.6 "invalid read of 10 bytes" at copies_and_fills.c:9:12
//; main.deref.7 "invalid read of 10 bytes" at copies_and_fills.c:9:12
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 40 align 16 var x0
//;     v1 = alloc.stack 40 align 16 var x1
//;     lifetime_start v0
//;     lifetime_start v1
//;     v2 = is_deref.write v0, 40
//;     check o0, v2
//;     mem_set v0, 1, 40
//;     v3 = offset v0, 1
//;     v4 = is_deref.read v3, 30
//;     check o1, v4
//;     v5 = is_deref.write v1, 30
//;     check o2, v5
//;     v6 = is_disjoint v1, v3, 30
//;     check o3, v6
//;     mem_copy v1, v3, 30
//;     v7 = offset v1, 1
//;     v8 = is_deref.read v1, 20
//;     check o4, v8
//;     v9 = is_deref.write v7, 20
//;     check o5, v9
//;     mem_copy v7, v1, 20
//;     v10 = is_deref.read v0, 10
//;     check o6, v10
//;     v11 = is_deref.read v1, 10
//;     check o7, v11
//;     v12 = mem_compare v0, v1, 10
//;     lifetime_end v1
//;     lifetime_end v0
//;     return v12
//; }
