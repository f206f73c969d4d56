//! --checks deref --opt 2
// strlen is C that is compiled like the rest.
#include <string.h>
int main(void) { return (int)strlen("abc"); }
//; note library functions by their models: strlen
//; text_length.deref.1 "invalid read of 1 byte" at text.h:11:12
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = call @strlen(@.str) -> i64
//;     v1 = trunc.i64.i32 v0
//;     return v1
//; }
//; model fn @strlen(v0: ptr) -> i64 {
//; b0:
//;     v1 = call @text_length(v0) -> i64
//;     return v1
//; }
//; model fn @text_length(v0: ptr) -> i64 {
//; b0:
//;     jump b1(0:i64)
//; b1(v1: i64):
//;     v2 = offset v0, v1
//;     v3 = is_deref.read v2, 1
//;     check o0, v3
//;     v4 = load.i8 v2
//;     v5 = eq.i8 v4, 0
//;     branch v5, b3, b2
//; b2:
//;     v6 = add.i64 v1, 1
//;     jump b1(v6)
//; b3:
//;     return v1
//; }
