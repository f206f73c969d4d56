//! --checks div,overflow --opt 2
// By zero, and INT_MIN / -1.
int main(int argc, char **argv) { return 100 / argc + (-argc - 1) % argc; }
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; note the program has at most 2^18 arguments
//; main.div.1 "division by zero in / of int" at division_has_two_obligations.c:3:46
//; main.overflow.1 "signed overflow in / of int" at division_has_two_obligations.c:3:46
//; main.overflow.2 "signed overflow in unary - of int" at division_has_two_obligations.c:3:56
//; main.overflow.3 "signed overflow in - of int" at division_has_two_obligations.c:3:62
//; main.div.2 "division by zero in % of int" at division_has_two_obligations.c:3:67
//; main.overflow.4 "signed overflow in % of int" at division_has_two_obligations.c:3:67
//; main.overflow.5 "signed overflow in + of int" at division_has_two_obligations.c:3:53
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
//;     v3 = ne.i32 v0, -1
//;     v4 = ne.i32 v0, 0
//;     check o0, v4
//;     v5 = sdiv.i32 100, v0
//;     v6 = sub.i32 0, v0
//;     v7 = ssub_overflow.i32 0, v0
//;     v8 = xor.i1 v7, 1
//;     check o2, v8
//;     v9 = add.i32 v6, -1
//;     v10 = sadd_overflow.i32 v6, -1
//;     v11 = xor.i1 v10, 1
//;     check o3, v11
//;     v12 = ne.i32 v9, -2147483648
//;     v13 = or.i1 v12, v3
//;     check o5, v13
//;     v14 = srem.i32 v9, v0
//;     v15 = add.i32 v5, v14
//;     v16 = sadd_overflow.i32 v5, v14
//;     v17 = xor.i1 v16, 1
//;     check o6, v17
//;     return v15
//; }
