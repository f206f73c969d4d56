//! --checks assert --opt 1 --m32
// On the stack, and small ones in registers.
struct s { int a, b; };
struct s f(struct s x) {
    x.a++;
    return x;
}
int main(void) {
    struct s x = {1, 2};
    return f(x).a;
}
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 8 align 4
//;     lifetime_start v0
//;     call @f(v0, 1:i32, 2:i32)
//;     v1 = load.i32 v0 align 4
//;     lifetime_end v0
//;     return v1
//; }
//; external fn @f(v0: ptr, v1: i32, v2: i32) {
//; b0:
//;     v3 = add.i32 v1, 1
//;     store.i32 v0, v3
//;     v4 = offset v0, 4
//;     store.i32 v4, v2
//;     return
//; }
