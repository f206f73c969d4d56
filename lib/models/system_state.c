/* system_state.c: what models of different files remember together. */
#include "clock.h"

struct system_io __selkie_io = {.last = 2};
struct clock_day __selkie_day;

MODEL int __selkie_descriptor_new(void) {
    __selkie_note("file descriptors are below 1024, and 0, 1 and 2 are open at the start");
    if (__selkie_io.closed)
        return rough_int_in(0, 1023);
    int fd = __selkie_io.last + 1 + any_ushort();
    sk_assume(fd < 1024);
    __selkie_io.last = fd;
    return fd;
}

/* The number of the process: the same whenever somebody asks. */
MODEL int __selkie_process_id(void) {
    static int number;
    if (number == 0)
        number = 1 + (any_int() & 0x3fffff);
    return number;
}
