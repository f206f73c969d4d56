//! --checks assert --opt 2
// The amount is masked.
int f(int x, int y) { return x >> y; }
int main(int argc, char **argv) { return f(argc, 40); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note shift amounts are taken modulo the width (check shift is off)
//; note the program has at most 2^18 arguments
//; fn @selkie.start() {
//; b0:
//;     v0 = nondet.i32 input
//;     v1 = ult.i32 v0, 262144
//;     assume v1 by model
//;     v2 = add.i32 v0, 1
//;     v3 = call @main(v2, null) -> i32
//;     return
//; }
//; fn @main(v0: i32, v1: ptr) -> i32 {
//; b0:
//;     v2 = call @f(v0, 40:i32) -> i32
//;     return v2
//; }
//; external fn @f(v0: i32, v1: i32) -> i32 {
//; b0:
//;     v2 = and.i32 v1, 31
//;     v3 = ashr.i32 v0, v2
//;     return v3
//; }
