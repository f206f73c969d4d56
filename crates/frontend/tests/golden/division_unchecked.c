//! --checks assert --opt 2
// Assumed not to divide by zero; INT_MIN / -1 wraps.
int f(int x, int y) { return x / y; }
int main(int argc, char **argv) { return f(argc, argc - 1); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note executions that divide by zero do not count (check div is off)
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
//;     v2 = add.i32 v0, -1
//;     v3 = call @f(v0, v2) -> i32
//;     return v3
//; }
//; external fn @f(v0: i32, v1: i32) -> i32 {
//; b0:
//;     v2 = ne.i32 v1, 0
//;     assume v2
//;     v3 = sdiv.i32 v0, v1
//;     return v3
//; }
