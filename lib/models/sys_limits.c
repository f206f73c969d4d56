/* sys_limits.c: what the system tells of itself and of a process's use of it. */
#include "system.h"

/* Six texts of at most 64 characters. */
#define SYS_LIMITS_TEXT 65

MODEL int uname(char (*result)[SYS_LIMITS_TEXT]) {
    check_write(result, 6 * SYS_LIMITS_TEXT, "uname: the result is writable");
    static char texts[6][SYS_LIMITS_TEXT];
    static _Bool asked;
    if (system_first(asked)) {
        __selkie_havoc(texts, sizeof texts);
        for (int i = 0; i < 6; i++)
            texts[i][SYS_LIMITS_TEXT - 1] = 0;
    }
    __selkie_memcpy(result, texts, sizeof texts);
    return 0;
}

struct sys_limits_pair {
    unsigned long now, most;
};

static _Bool sys_limits_asked;

MODEL int getrlimit(int what, struct sys_limits_pair *result) {
    (void)what;
    check_write(result, sizeof *result, "getrlimit: the result is writable");
    if (system_status() != 0)
        return -1;
    _Bool first = system_first(sys_limits_asked);
    unsigned long now = first ? any_ulong() : (unsigned long)rough_long();
    unsigned long most = first ? any_ulong() : (unsigned long)rough_long();
    sk_assume(now <= most);
    result->now = now;
    result->most = most;
    return 0;
}

MODEL int setrlimit(int what, const struct sys_limits_pair *limits) {
    (void)what;
    check_read(limits, sizeof *limits, "setrlimit: the limits are readable");
    sys_limits_asked = 1;
    return system_status();
}

/* Two times, each of seconds and microseconds, and 14 numbers. */
MODEL int getrusage(int who, long *result) {
    (void)who;
    check_write(result, 18 * sizeof(long), "getrusage: the result is writable");
    if (system_status() != 0)
        return -1;
    static _Bool asked;
    _Bool first = system_first(asked);
    for (int i = 0; i < 18; i++)
        result[i] = first ? any_long() : rough_long();
    for (int i = 0; i < 4; i += 2)
        sk_assume(result[i] >= 0 && result[i] <= 0x7fffffff && result[i + 1] >= 0 && result[i + 1] <= 999999);
    for (int i = 4; i < 18; i++)
        sk_assume(result[i] >= 0);
    return 0;
}

/* Four times. */
MODEL long times(long *result) {
    static _Bool asked;
    _Bool first = system_first(asked);
    if (result) {
        check_write(result, 4 * sizeof(long), "times: the result is writable");
        for (int i = 0; i < 4; i++)
            result[i] = first ? any_long() : rough_long();
    }
    return first ? any_long() : rough_long();
}
