//! --checks assert --opt 2
// Lane by lane.
typedef int v2 __attribute__((vector_size(8)));
v2 f(v2 a, v2 b) { return a + b * 2; }
int main(void) { return f((v2){1, 2}, (v2){3, 4})[1]; }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = call @f(0x200000001:f64, 0x400000003:f64) -> f64
//;     v1 = bits.f64.i64 v0
//;     v3 = lshr.i64 v1, 32
//;     v4 = trunc.i64.i32 v3
//;     return v4
//; }
//; external fn @f(v0: f64, v1: f64) -> f64 {
//; b0:
//;     v2 = bits.f64.i64 v0
//;     v3 = trunc.i64.i32 v2
//;     v4 = lshr.i64 v2, 32
//;     v5 = trunc.i64.i32 v4
//;     v6 = bits.f64.i64 v1
//;     v7 = trunc.i64.i32 v6
//;     v8 = lshr.i64 v6, 32
//;     v9 = trunc.i64.i32 v8
//;     v10 = shl.i32 v7, 1
//;     v11 = shl.i32 v9, 1
//;     v12 = add.i32 v10, v3
//;     v13 = add.i32 v11, v5
//;     v14 = zext.i32.i64 v12
//;     v15 = zext.i32.i64 v13
//;     v16 = shl.i64 v15, 32
//;     v17 = or.i64 v16, v14
//;     v18 = bits.i64.f64 v17
//;     return v18
//; }
