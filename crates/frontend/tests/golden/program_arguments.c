//! --checks assert --opt 2
// Strings are made only for a program that looks at them.
int main(int argc, char **argv) { return argv[argc - 1][0]; }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note the program has at most 2^18 arguments
//; note the program has at most 8 arguments (its name is one), each shorter than 2^17 bytes
//; fn @selkie.start() {
//; b0:
//;     v0 = nondet.i32 input
//;     v1 = ult.i32 v0, 262144
//;     assume v1 by model
//;     v2 = add.i32 v0, 1
//;     v3 = sext.i32.i64 v2
//;     v4 = ule.i64 v3, 8
//;     assume v4 by model
//;     v5 = add.i64 v3, 1
//;     v6 = mul.i64 v5, 8
//;     v7 = alloc.stack v6 align 16
//;     jump b1(0:i64)
//; b1(v8: i64):
//;     v9 = ult.i64 v8, v3
//;     branch v9, b2, b3
//; b2:
//;     v10 = nondet.i64 input
//;     v11 = ult.i64 v10, 131072
//;     assume v11 by model
//;     v12 = add.i64 v10, 1
//;     v13 = alloc.stack v12 align 16
//;     v14 = offset v13, v10
//;     store.i8 v14, 0
//;     v15 = mul.i64 v8, 8
//;     v16 = offset v7, v15
//;     store.ptr v16, v13 align 8
//;     v17 = add.i64 v8, 1
//;     jump b1(v17)
//; b3:
//;     v18 = mul.i64 v3, 8
//;     v19 = offset v7, v18
//;     store.ptr v19, null align 8
//;     v20 = call @main(v2, v7) -> i32
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
