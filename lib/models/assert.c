/* assert.c: ends by the compiler's and the library's own assertions. */
#include <selkie/model.h>

MODEL __attribute__((noreturn)) void __assert_perror_fail(int number, const char *file, unsigned line,
                                                          const char *function) {
    (void)number, (void)file, (void)line, (void)function;
    __selkie_check(0, "assert", "assert_perror");
    __selkie_halt_abort();
}

MODEL __attribute__((noreturn)) void __stack_chk_fail(void) {
    __selkie_check(0, "deref", "the stack is intact");
    __selkie_halt_abort();
}

MODEL __attribute__((noreturn)) void __chk_fail(void) {
    __selkie_check(0, "deref", "no buffer overflow");
    __selkie_halt_abort();
}
