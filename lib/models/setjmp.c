/* setjmp.c: setjmp returns once; what would make it return again is not modelled. */
#include <selkie/model.h>

/* The registers that are kept at least: 8 on x86-64, 6 on x86. */
#define SETJMP_SIZE ((sizeof(long) == 8 ? 8 : 6) * sizeof(long))

static int setjmp_keep(void *buffer) {
    check_write(buffer, SETJMP_SIZE, "setjmp: the buffer is writable");
    __selkie_havoc(buffer, SETJMP_SIZE);
    return 0;
}

#define SETJMP_SET(name) \
    MODEL int name(void *buffer) { return setjmp_keep(buffer); }
#define SETJMP_SET_SIGNALS(name) \
    MODEL int name(void *buffer, int signals) { return (void)signals, setjmp_keep(buffer); }
#define SETJMP_JUMP(name) \
    MODEL __attribute__((noreturn)) void name(void *buffer, int value) { \
        (void)buffer, (void)value; \
        __selkie_unsupported(#name); \
        __selkie_halt_abort(); \
    }

SETJMP_SET(setjmp)
SETJMP_SET(_setjmp)
SETJMP_SET_SIGNALS(sigsetjmp)
SETJMP_SET_SIGNALS(__sigsetjmp)
SETJMP_JUMP(longjmp)
SETJMP_JUMP(_longjmp)
SETJMP_JUMP(siglongjmp)
SETJMP_JUMP(__longjmp_chk)
