//! --checks assert --opt 2
// A computed jump is a switch over the numbers of the labels.
int f(int x) {
    switch (x) {
    case 1:
    case 2:
        return 10;
    case 7:
        return 20;
    }
    void *t[] = {&&a, &&b};
    goto *t[x > 9];
a:
    return 30;
b:
    return 40;
}
int main(int argc, char **argv) { return f(argc); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note the program has at most 2^18 arguments
//; f.unsupported.1 "unsupported: a computed goto to no label of the function" at switch_and_computed_goto.c:12:11
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
//;     v2 = call @f(v0) -> i32
//;     return v2
//; }
//; external fn @f(v0: i32) -> i32 {
//; b0:
//;     v2 = alloc.stack 16 align 16 var x2
//;     switch.i32 v0 [1: b4(10:i32), 2: b4(10:i32), 7: b1], b2
//; b1:
//;     jump b4(20:i32)
//; b2:
//;     v3 = inttoptr.i64.ptr 2
//;     store.ptr v2, v3 align 16
//;     v4 = offset v2, 8
//;     v5 = inttoptr.i64.ptr 1
//;     store.ptr v4, v5 align 8
//;     v6 = slt.i32 9, v0
//;     v7 = zext.i1.i64 v6
//;     v8 = mul.i64 v7, 8
//;     v9 = offset v2, v8
//;     v10 = load.ptr v9 align 8
//;     v11 = ptrtoint.ptr.i64 v10
//;     switch.i64 v11 [1: b3, 2: b4(30:i32)], b5
//; b3:
//;     jump b4(40:i32)
//; b4(v1: i32):
//;     return v1
//; b5:
//;     check o0, 0
//;     halt dead
//; }
