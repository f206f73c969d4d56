/* sys_limits.c: what the system tells of itself and of a process's use of it. */
#include "system.h"

/* Six texts of at most 64 characters. */
#define SYS_LIMITS_TEXT 65

MODEL int uname(char (*result)[SYS_LIMITS_TEXT]) {
    check_write(result, 6 * SYS_LIMITS_TEXT, "uname: the result is writable");
    if (system_status() != 0)
        return -1;
    __selkie_havoc(result, 6 * SYS_LIMITS_TEXT);
    for (int i = 0; i < 6; i++)
        result[i][SYS_LIMITS_TEXT - 1] = 0;
    return 0;
}

struct sys_limits_pair {
    unsigned long now, most;
};

MODEL int getrlimit(int what, struct sys_limits_pair *result) {
    (void)what;
    check_write(result, sizeof *result, "getrlimit: the result is writable");
    if (system_status() != 0)
        return -1;
    result->now = any_ulong();
    result->most = any_ulong();
    return 0;
}

MODEL int setrlimit(int what, const struct sys_limits_pair *limits) {
    (void)what;
    check_read(limits, sizeof *limits, "setrlimit: the limits are readable");
    return system_status();
}

/* Two times, each of seconds and microseconds, and 14 numbers. */
MODEL int getrusage(int who, long *result) {
    (void)who;
    check_write(result, 18 * sizeof(long), "getrusage: the result is writable");
    if (system_status() != 0)
        return -1;
    __selkie_havoc(result, 18 * sizeof(long));
    for (int i = 0; i < 4; i += 2) {
        result[i] = any_uint() & 0x7fffffff;
        result[i + 1] = any_int_in(0, 999999);
    }
    return 0;
}

/* Four times. */
MODEL long times(long *result) {
    if (result)
        system_fill(result, 4 * sizeof(long));
    return any_long();
}
