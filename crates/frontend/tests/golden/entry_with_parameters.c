//! --checks assert --opt 2 --entry f
// Numbers are inputs; pointers point nowhere.
int f(int x, char *p, double d) { return x > 0 && p && d > 1; }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note pointer parameters of the entry function point to no object
//; fn @selkie.start() {
//; b0:
//;     v0 = nondet.i32 input
//;     v1 = nondet.ptr input
//;     v2 = nondet.f64 input
//;     v3 = call @f(v0, v1, v2) -> i32
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
