//! --checks overflow,assert --opt 2
// Overflow checks and the assertion become checks; locals become registers.
#include <assert.h>
int nondet_int(void);
int main(void) {
    int n = nondet_int(), sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    assert(sum >= 0);
    return 0;
}
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; main.overflow.1 "signed overflow in + of int" at loop_with_checks.c:8:13
//; main.overflow.2 "signed overflow in + of int" at loop_with_checks.c:7:29
//; main.assert.1 "assertion sum >= 0" at loop_with_checks.c:9:5
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v2 = nondet.i32 input
//;     jump b1(0:i32, 0:i32)
//; b1(v0: i32, v1: i32):
//;     v3 = slt.i32 v1, v2
//;     branch v3, b3, b2
//; b2:
//;     v4 = slt.i32 -1, v0
//;     check o2, v4
//;     return 0:i32
//; b3:
//;     v5 = add.i32 v0, v1
//;     v6 = sadd_overflow.i32 v0, v1
//;     v7 = xor.i1 v6, 1
//;     check o0, v7
//;     v8 = add.i32 v1, 1
//;     v9 = sadd_overflow.i32 v1, 1
//;     v10 = xor.i1 v9, 1
//;     check o1, v10
//;     jump b1(v5, v8)
//; }
