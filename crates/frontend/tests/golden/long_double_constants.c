//! --checks assert --opt 0
// Bit by bit.
long double f(void) { return 1.1L; }
double g(void) { return 0.1; }
float h(void) { return -1.5f; }
int main(void) { return f() > g() && h() < 0; }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v1 = alloc.stack 4 align 4
//;     store.i32 v1, 0 align 4
//;     v2 = call @f() -> f80
//;     v3 = call @g() -> f64
//;     v4 = ftof.f64.f80 v3
//;     v5 = folt.f80 v4, v2
//;     branch v5, b1, b2(0:i1)
//; b1:
//;     v6 = call @h() -> f32
//;     v7 = folt.f32 v6, 0x0
//;     jump b2(v7)
//; b2(v0: i1):
//;     v8 = zext.i1.i32 v0
//;     return v8
//; }
//; external fn @f() -> f80 {
//; b0:
//;     return 0x3fff8ccccccccccccccd:f80
//; }
//; external fn @g() -> f64 {
//; b0:
//;     return 0x3fb999999999999a:f64
//; }
//; external fn @h() -> f32 {
//; b0:
//;     return 0xbfc00000:f32
//; }
