//! --checks assert --opt 2 --entry f
// Numbers are inputs; pointers point nowhere.
int f(int x, char *p, double d) { return x > 0 && p && d > 1; }
//; note `p` points to the start of an object of its own: 1 or more `char` of any value
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note objects of parameters whose size is chosen have at most 2^31 bytes
//; fn @selkie.start() {
//; b0:
//;     v0 = nondet.i32 input
//;     v1 = nondet.f64 input
//;     v2 = nondet.i64 input
//;     v3 = ult.i64 v2, 2147483648
//;     assume v3 by model
//;     v4 = add.i64 v2, 1
//;     v5 = alloc.stack v4 var x3
//;     v6 = call @f(v0, v5, v1) -> i32
//;     return
//; }
//; fn @f(v0: i32, v1: ptr, v2: f64) -> i32 {
//; b0:
//;     v3 = slt.i32 0, v0
//;     v4 = ne.ptr v1, null
//;     v5 = select.i1 v3, v4, 0
//;     v6 = folt.f64 0x3ff0000000000000, v2
//;     v7 = select.i1 v5, v6, 0
//;     v8 = zext.i1.i32 v7
//;     return v8
//; }
