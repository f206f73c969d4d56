//! --checks assert --opt 2
// The call packs them as the calling convention lays them out.
#include <stdarg.h>
int f(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int x = va_arg(ap, int);
    va_end(ap);
    return x;
}
int main(void) { return f(1, (char)7, 2.5, 3.0L); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 32 align 16
//;     store.i32 v0, 7 align 8
//;     v1 = offset v0, 8
//;     store.f64 v1, 0x4004000000000000 align 8
//;     v2 = offset v0, 16
//;     store.f80 v2, 0x4000c000000000000000 align 8
//;     v3 = call @f(1:i32, v0) -> i32
//;     return v3
//; }
//; external fn @f(v0: i32, v1: ptr) -> i32 {
//; b0:
//;     v3 = alloc.stack 24 align 16 var x0
//;     lifetime_start v3
//;     v7 = offset v3, 8
//;     v9 = offset v3, 16
//;     store.i32 v3, 48 align 8
//;     v11 = offset v3, 4
//;     store.i32 v11, 176 align 4
//;     v12 = offset v3, 8
//;     store.ptr v12, v1 align 8
//;     v13 = offset v3, 16
//;     store.ptr v13, null align 8
//;     v14 = load.i32 v3 align 16
//;     v15 = ult.i32 v14, 41
//;     branch v15, b2, b1
//; b1:
//;     v16 = load.ptr v7 align 8
//;     v17 = offset v16, 8
//;     store.ptr v7, v17 align 8
//;     jump b3(v16)
//; b2:
//;     v18 = load.ptr v9 align 16
//;     v19 = zext.i32.i64 v14
//;     v20 = offset v18, v19
//;     v21 = add.i32 v14, 8
//;     store.i32 v3, v21 align 16
//;     jump b3(v20)
//; b3(v2: ptr):
//;     v22 = load.i32 v2 align 4
//;     lifetime_end v3
//;     return v22
//; }
