//! --checks overflow --opt 0
// The same places are guarded when LLVM does nothing.
int f(int n) {
    int sum = 0;
    while (n-- > 0)
        sum += n;
    return sum;
}
int main(void) { return f(3); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; f.overflow.1 "signed overflow in - of int" at loop_without_simplification.c:5:13
//; f.overflow.2 "signed overflow in + of int" at loop_without_simplification.c:6:13
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 4 align 4
//;     store.i32 v0, 0 align 4
//;     v1 = call @f(3:i32) -> i32
//;     return v1
//; }
//; external fn @f(v0: i32) -> i32 {
//; b0:
//;     v1 = alloc.stack 4 align 4 var x0
//;     v2 = alloc.stack 4 align 4 var x1
//;     store.i32 v1, v0 align 4
//;     lifetime_start v2
//;     store.i32 v2, 0 align 4
//;     jump b1
//; b1:
//;     v3 = load.i32 v1 align 4
//;     v4 = sub.i32 v3, 1
//;     v5 = ssub_overflow.i32 v3, 1
//;     v6 = xor.i1 v5, 1
//;     check o0, v6
//;     store.i32 v1, v4 align 4
//;     v7 = slt.i32 0, v3
//;     branch v7, b3, b2
//; b2:
//;     v8 = load.i32 v2 align 4
//;     lifetime_end v2
//;     return v8
//; b3:
//;     v9 = load.i32 v1 align 4
//;     v10 = load.i32 v2 align 4
//;     v11 = add.i32 v10, v9
//;     v12 = sadd_overflow.i32 v10, v9
//;     v13 = xor.i1 v12, 1
//;     check o1, v13
//;     store.i32 v2, v11 align 4
//;     jump b1
//; }
