/* unistd_exit.c: the end of the program without handlers. */
#include <selkie/model.h>

MODEL __attribute__((noreturn)) void _exit(int status) {
    __selkie_halt_exit(status);
}

MODEL __attribute__((noreturn)) void _Exit(int status) {
    __selkie_halt_exit(status);
}
