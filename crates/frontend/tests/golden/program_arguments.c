//! --checks assert --opt 2
// Strings are made only for a program that looks at them.
int main(int argc, char **argv) { return argv[argc - 1][0]; }
//; note memory accesses are taken to be valid (check deref is off)
//; note the program has at most 2^18 arguments, each shorter than 2^17 bytes
//; fn @selkie.start() {
//; b0:
//;     v0 = nondet.i32 input
//;     v1 = ult.i32 v0, 262144
//;     assume v1
//;     v2 = add.i32 v0, 1
//;     v3 = sext.i32.i64 v2
//;     v4 = add.i64 v3, 1
//;     v5 = mul.i64 v4, 8
//;     v6 = alloc.stack v5 align 16
//;     jump b1(0:i64)
//; b1(v7: i64):
//;     v8 = ult.i64 v7, v3
//;     branch v8, b2, b3
//; b2:
//;     v9 = nondet.i64 input
//;     v10 = ult.i64 v9, 131072
//;     assume v10
//;     v11 = add.i64 v9, 1
//;     v12 = alloc.stack v11 align 16
//;     v13 = offset v12, v9
//;     store.i8 v13, 0
//;     v14 = mul.i64 v7, 8
//;     v15 = offset v6, v14
//;     store.ptr v15, v12 align 8
//;     v16 = add.i64 v7, 1
//;     jump b1(v16)
//; b3:
//;     v17 = mul.i64 v3, 8
//;     v18 = offset v6, v17
//;     store.ptr v18, null align 8
//;     v19 = call @main(v2, v6) -> i32
//;     return
//; }
//; fn @main(v0: i32, v1: ptr) -> i32 {
//; b0:
//;     v2 = add.i32 v0, -1
//;     v3 = sext.i32.i64 v2
//;     v4 = mul.i64 v3, 8
//;     v5 = offset v1, v4
//;     v6 = load.ptr v5 align 8
//;     v7 = load.i8 v6
//;     v8 = sext.i8.i32 v7
//;     return v8
//; }
