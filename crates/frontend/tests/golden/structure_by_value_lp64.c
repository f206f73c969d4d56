//! --checks assert --opt 1
// In memory: the callee makes its copy; the result goes to the caller's object.
struct s { long a[3]; };
struct s f(struct s x) {
    x.a[0]++;
    return x;
}
int main(void) {
    struct s x = {{1, 2, 3}};
    return (int)f(x).a[0];
}
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 24 align 8 var x0
//;     v1 = alloc.stack 24 align 8
//;     lifetime_start v0
//;     store.i64 v0, 1 align 8
//;     v2 = offset v0, 8
//;     store.i64 v2, 2 align 8
//;     v3 = offset v0, 16
//;     store.i64 v3, 3 align 8
//;     lifetime_start v1
//;     call @f(v1, v0)
//;     v4 = load.i64 v1 align 8
//;     v5 = trunc.i64.i32 v4
//;     lifetime_end v1
//;     lifetime_end v0
//;     return v5
//; }
//; external fn @f(v0: ptr, v1: ptr) {
//; b0:
//;     v2 = alloc.stack 24 align 8 var x1
//;     mem_copy v2, v1, 24
//;     v3 = load.i64 v2 align 8
//;     v4 = add.i64 v3, 1
//;     store.i64 v2, v4 align 8
//;     mem_copy v0, v2, 24
//;     return
//; }
