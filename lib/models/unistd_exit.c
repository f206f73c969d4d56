/* unistd_exit.c: the end of the program without handlers. */
#include <selkie/model.h>

MODEL __attribute__((noreturn)) void _exit(int status) {
    (void)status;
    __selkie_halt_exit();
}

MODEL __attribute__((noreturn)) void _Exit(int status) {
    (void)status;
    __selkie_halt_exit();
}
