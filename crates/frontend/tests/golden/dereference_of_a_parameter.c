//! --checks deref --opt 2
// A guard before each access; none for the local variable that a register replaces.
int f(int *p, int i) {
    int x = p[i];
    p[i] = x + 1;
    return x;
}
int main(void) {
    int a[3] = {1, 2, 3};
    return f(a, 1);
}
//; f.deref.1 "invalid read of 4 bytes" at dereference_of_a_parameter.c:4:13
//; f.deref.2 "invalid write of 4 bytes" at dereference_of_a_parameter.c:5:10
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 12 align 4 var x0
//;     lifetime_start v0
//;     store.i32 v0, 1 align 4
//;     v1 = offset v0, 4
//;     store.i32 v1, 2 align 4
//;     v2 = offset v0, 8
//;     store.i32 v2, 3 align 4
//;     v3 = call @f(v0, 1:i32) -> i32
//;     lifetime_end v0
//;     return v3
//; }
//; external fn @f(v0: ptr, v1: i32) -> i32 {
//; b0:
//;     v2 = sext.i32.i64 v1
//;     v3 = mul.i64 v2, 4
//;     v4 = offset v0, v3
//;     v5 = is_deref.read v4, 4
//;     check o0, v5
//;     v6 = load.i32 v4 align 4
//;     v7 = add.i32 v6, 1
//;     v8 = is_deref.write v4, 4
//;     check o1, v8
//;     store.i32 v4, v7 align 4
//;     return v6
//; }
