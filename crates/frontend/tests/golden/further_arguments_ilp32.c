//! --checks assert --opt 2 --m32
// A va_list is a pointer here.
#include <stdarg.h>
int f(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int x = va_arg(ap, int);
    va_end(ap);
    return x;
}
int main(void) { return f(1, 7, 2.5); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 12 align 16
//;     store.i32 v0, 7 align 4
//;     v1 = offset v0, 4
//;     store.f64 v1, 0x4004000000000000 align 4
//;     v2 = call @f(1:i32, v0) -> i32
//;     return v2
//; }
//; external fn @f(v0: i32, v1: ptr) -> i32 {
//; b0:
//;     v2 = alloc.stack 4 align 4
//;     lifetime_start v2
//;     v3 = nondet.ptr uninit
//;     store.ptr v2, v1 align 4
//;     v4 = load.ptr v2 align 4
//;     v5 = offset v4, 4
//;     store.ptr v2, v5 align 4
//;     v6 = load.i32 v4 align 4
//;     lifetime_end v2
//;     return v6
//; }
