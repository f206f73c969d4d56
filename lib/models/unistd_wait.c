/* unistd_wait.c: descriptors that are ready, and what else is asked of descriptors. */
#include "system.h"

/* A set of 1024 descriptors. */
#define UNISTD_WAIT_WORDS (1024 / (8 * sizeof(unsigned long)))

static void unistd_wait_check(unsigned long *set) {
    if (set)
        check_write(set, UNISTD_WAIT_WORDS * sizeof *set, "select: the set is writable");
}

/* Keeps some of the set's descriptors, or none; is there one? */
static _Bool unistd_wait_keep(unsigned long *set, _Bool none) {
    _Bool found = 0;
    if (!set)
        return 0;
    for (unsigned i = 0; i < UNISTD_WAIT_WORDS; i++) {
        set[i] = none ? 0 : set[i] & any_ulong();
        if (set[i] != 0)
            found = 1;
    }
    return found;
}

static int unistd_wait_select(unsigned long *in, unsigned long *out, unsigned long *other) {
    unistd_wait_check(in);
    unistd_wait_check(out);
    unistd_wait_check(other);
    if (system_status() != 0)
        return -1;
    _Bool late = any_bool();
    _Bool found = unistd_wait_keep(in, late);
    found |= unistd_wait_keep(out, late);
    found |= unistd_wait_keep(other, late);
    return found ? any_int_in(1, 3 * 1024) : 0;
}

/* What is left of the time is stored. Negative times are errors. */
MODEL int select(int bound, unsigned long *in, unsigned long *out, unsigned long *other, long *time) {
    (void)bound;
    if (time) {
        check_write(time, 2 * sizeof(long), "select: the time is writable");
        if (time[0] < 0 || time[1] < 0) {
            errno = EINVAL;
            return -1;
        }
        long left = any_long();
        sk_assume(left >= 0 && left <= time[0]);
        time[0] = left;
        time[1] = any_int_in(0, 999999);
    }
    return unistd_wait_select(in, out, other);
}

MODEL int pselect(int bound, unsigned long *in, unsigned long *out, unsigned long *other, const long *time,
                  const void *mask) {
    (void)bound;
    if (time)
        check_read(time, 2 * sizeof(long), "pselect: the time is readable");
    if (mask)
        (void)*(const volatile char *)mask;
    return unistd_wait_select(in, out, other);
}

struct unistd_wait_poll {
    int fd;
    short asked, answer;
};

/* Errors are told unasked. */
MODEL int poll(struct unistd_wait_poll *all, unsigned long count, int time) {
    int found = 0;
    (void)time;
    check_write(all, count * sizeof *all, "poll: the descriptors are writable");
    if (system_status() != 0)
        return -1;
    _Bool late = any_bool();
    for (unsigned long i = 0; i < count; i++) {
        all[i].answer = late || all[i].fd < 0 ? 0 : any_short() & (all[i].asked | 0x38);
        if (all[i].answer != 0)
            found++;
    }
    return found;
}

/* A lock of a part of a file. */
#define UNISTD_WAIT_LOCK (sizeof(long) == 8 ? 32 : 16)

static int unistd_wait_control(int command, void *argument) {
    static _Bool asked;
    switch (command) {
    case 0: case 1030: /* F_DUPFD, F_DUPFD_CLOEXEC: not below the argument */
        __selkie_io.closed = 1;
        return system_descriptor();
    case 1: case 3: /* F_GETFD, F_GETFL */
        if (any_bool())
            return system_failed();
        return system_first(asked) ? any_int_in(0, 2147483647) : rough_int_in(0, 2147483647);
    case 9: /* F_GETOWN */
        return rough_int();
    case 5: /* F_GETLK */
        system_fill(argument, UNISTD_WAIT_LOCK);
        return system_status();
    case 6: case 7: /* F_SETLK, F_SETLKW */
        check_read(argument, UNISTD_WAIT_LOCK, "fcntl: the lock is readable");
        return system_status();
    case 2: case 4: case 8: /* F_SETFD, F_SETFL, F_SETOWN */
        asked = 1;
        return system_status();
    }
    __selkie_unsupported("command of fcntl");
    return -1;
}

/* Does the command have a pointer as its argument? */
#define UNISTD_WAIT_ARGUMENT(command) \
    void *argument = NULL; \
    if (command >= 5 && command <= 7) { \
        va_list list; \
        va_start(list, command); \
        argument = va_arg(list, void *); \
        va_end(list); \
    }

MODEL int fcntl(int fd, int command, ...) {
    (void)fd;
    UNISTD_WAIT_ARGUMENT(command)
    return unistd_wait_control(command, argument);
}

MODEL int fcntl64(int fd, int command, ...) {
    (void)fd;
    UNISTD_WAIT_ARGUMENT(command)
    return unistd_wait_control(command, argument);
}
