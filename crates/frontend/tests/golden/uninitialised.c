//! --checks assert --opt 2
// One arbitrary value for each execution of the declaration.
void use(int);
int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        use(x);
        use(x);
    }
    return 0;
}
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     jump b1(0:i32)
//; b1(v0: i32):
//;     v1 = ult.i32 v0, 2
//;     branch v1, b3, b2
//; b2:
//;     return 0:i32
//; b3:
//;     v2 = nondet.i32 uninit
//;     call @use(v2)
//;     call @use(v2)
//;     v3 = add.i32 v0, 1
//;     jump b1(v3)
//; }
//; fn @use(i32)
