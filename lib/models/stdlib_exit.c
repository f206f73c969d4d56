/* stdlib_exit.c: exit. Handlers exist only if the program registers some: a reference that nothing
 * satisfies is null. */
#include <selkie/model.h>

extern __attribute__((weak)) void __selkie_run_atexit(int status);

MODEL __attribute__((noreturn)) void exit(int status) {
    if (__selkie_run_atexit)
        __selkie_run_atexit(status);
    __selkie_run_destructors();
    __selkie_halt_exit(status);
}
