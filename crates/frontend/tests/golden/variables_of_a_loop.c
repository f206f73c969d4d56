//! --checks deref --opt 2
// An address that is kept: the variable is made in every round. One that is only looked at: it is one object.
int *kept;
static void keep(int *p) { kept = p; }
static int look(const int *p) { return *p; }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i, y = i;
        keep(&x);
        sum += look(&y);
    }
    return sum;
}
//; look.deref.1 "invalid read of 4 bytes" at variables_of_a_loop.c:5:40
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v3 = alloc.stack 4 align 4
//;     jump b1(0:i32, 0:i32)
//; b1(v0: i32, v1: i32):
//;     v4 = ult.i32 v1, 3
//;     branch v4, b3, b2
//; b2:
//;     return v0
//; b3:
//;     v2 = alloc.stack 4 align 4
//;     store.i32 v2, v1 align 4
//;     lifetime_start v3
//;     store.i32 v3, v1 align 4
//;     call @keep(v2)
//;     v5 = call @look(v3) -> i32
//;     v6 = add.i32 v0, v5
//;     lifetime_end v3
//;     lifetime_end v2
//;     v7 = add.i32 v1, 1
//;     jump b1(v6, v7)
//; }
//; fn @keep(v0: ptr) {
//; b0:
//;     store.ptr @kept, v0 align 8
//;     return
//; }
//; fn @look(v0: ptr) -> i32 {
//; b0:
//;     v1 = is_deref.read v0, 4
//;     check o0, v1
//;     v2 = load.i32 v0 align 4
//;     return v2
//; }
