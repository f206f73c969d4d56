//! --checks deref --opt 2
// Lifetime markers stay.
int *p;
int main(void) {
    {
        int x = 1;
        p = &x;
    }
    return *p;
}
//; main.deref.1 "invalid read of 4 bytes" at scopes.c:9:12
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 4 align 4
//;     lifetime_start v0
//;     store.i32 v0, 1 align 4
//;     store.ptr @p, v0 align 8
//;     lifetime_end v0
//;     v1 = is_deref.read v0, 4
//;     check o0, v1
//;     v2 = load.i32 v0 align 4
//;     return v2
//; }
