//! --checks assert --opt 2 --debug
// Values of variables, for traces.
int f(unsigned char c, float x) {
    int y = c + 1;
    y *= 2;
    return y + (int)x;
}
int main(void) { return f(3, 2.5f); }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; var x0 "c" "unsigned char" char 8 in "f"
//; var x1 "x" "float" float 32 in "f"
//; var x2 "y" "int" signed 32 in "f"
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = call @f(3:i8, 0x40200000:f32) -> i32
//;     return v0
//; }
//; external fn @f(v0: i8, v1: f32) -> i32 {
//; b0:
//;     debug x0 value v0
//;     debug x1 value v1
//;     v2 = zext.i8.i32 v0
//;     v3 = shl.i32 v2, 1
//;     v4 = add.i32 v3, 2
//;     debug x2 value v4
//;     v5 = ftos.f32.i32 v1
//;     v6 = add.i32 v4, v5
//;     return v6
//; }
