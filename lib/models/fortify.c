/* fortify.c: where the compiler's and the library's own tests of buffers end. */
#include <selkie/model.h>

MODEL __attribute__((noreturn)) void __stack_chk_fail(void) {
    __selkie_check(0, "deref", "the stack is intact");
    __selkie_halt_abort();
}

MODEL __attribute__((noreturn)) void __chk_fail(void) {
    __selkie_check(0, "deref", "no buffer overflow");
    __selkie_halt_abort();
}
