//! --checks assert --opt 1
// Large objects are arbitrary from the start of their scope.
int use(int *);
int main(void) {
    int a[100];
    return use(a);
}
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     v0 = alloc.stack 400 align 16 var x0
//;     lifetime_start v0
//;     v1 = call @use(v0) -> i32
//;     lifetime_end v0
//;     return v1
//; }
//; fn @use(ptr) -> i32
