/* time_clock.c: clocks and pauses of POSIX. */
#include "system.h"

struct time_clock_pair {
    long seconds, fraction;
};

static void time_clock_any(struct time_clock_pair *result, int parts) {
    result->seconds = any_long() & (long)((unsigned long)-1 >> 1);
    result->fraction = any_int_in(0, parts - 1);
}

MODEL int gettimeofday(struct time_clock_pair *result, void *zone) {
    if (result)
        time_clock_any(result, 1000000);
    if (zone)
        system_fill(zone, 2 * sizeof(int));
    return 0;
}

MODEL int settimeofday(const struct time_clock_pair *now, const void *zone) {
    if (now)
        check_read(now, sizeof *now, "settimeofday: the time is readable");
    if (zone)
        check_read(zone, 2 * sizeof(int), "settimeofday: the time zone is readable");
    return system_status();
}

MODEL int clock_gettime(int clock, struct time_clock_pair *result) {
    (void)clock;
    if (system_status() != 0)
        return -1;
    time_clock_any(result, 1000000000);
    return 0;
}

MODEL int clock_getres(int clock, struct time_clock_pair *result) {
    (void)clock;
    if (system_status() != 0)
        return -1;
    if (result)
        time_clock_any(result, 1000000000);
    return 0;
}

MODEL int clock_settime(int clock, const struct time_clock_pair *now) {
    (void)clock;
    check_read(now, sizeof *now, "clock_settime: the time is readable");
    return system_status();
}

/* Yields the base, or 0. */
MODEL int timespec_get(struct time_clock_pair *result, int base) {
    if (base <= 0 || any_bool())
        return 0;
    time_clock_any(result, 1000000000);
    return base;
}

MODEL unsigned sleep(unsigned seconds) {
    unsigned left = any_uint();
    sk_assume(left <= seconds);
    return left;
}

MODEL int usleep(unsigned duration) { return (void)duration, system_status(); }

/* What is left is stored if a signal ended the pause. */
static _Bool time_clock_pause(const struct time_clock_pair *duration, struct time_clock_pair *left) {
    check_read(duration, sizeof *duration, "nanosleep: the duration is readable");
    if (any_bool())
        return 1;
    if (left && any_bool())
        time_clock_any(left, 1000000000);
    return 0;
}

MODEL int nanosleep(const struct time_clock_pair *duration, struct time_clock_pair *left) {
    return time_clock_pause(duration, left) ? 0 : system_failed();
}

/* Yields the error's number. */
MODEL int clock_nanosleep(int clock, int flags, const struct time_clock_pair *duration, struct time_clock_pair *left) {
    (void)clock, (void)flags;
    return time_clock_pause(duration, left) ? 0 : 1 + any_uchar() % 133;
}

MODEL unsigned alarm(unsigned seconds) {
    (void)seconds;
    return any_uint();
}
