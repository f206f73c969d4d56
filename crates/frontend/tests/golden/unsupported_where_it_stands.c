//! --checks assert --opt 2
// An obligation that fails, and nothing after it.
int main(void) {
    int x = 0;
    __asm__("cpuid" : "=a"(x) : : "memory");
    return x;
}
//; note addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)
//; main.unsupported.1 "unsupported: inline assembly (cpuid)" at unsupported_where_it_stands.c:5:5
//; fn @selkie.start() {
//; b0:
//;     v0 = call @main() -> i32
//;     return
//; }
//; fn @main() -> i32 {
//; b0:
//;     check o0, 0
//;     halt dead
//; }
