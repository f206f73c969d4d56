/* time_clock.c: clocks and pauses of POSIX. */
#include "clock.h"

struct time_clock_pair {
    long seconds, fraction;
};

#define TIME_CLOCK_PARTS 1000000000

/* The other clocks, when they were looked at last; of further ones nothing is kept. */
#define TIME_CLOCK_OTHERS 8
static struct time_clock_pair time_clock_last[TIME_CLOCK_OTHERS];

static void time_clock_some(struct time_clock_pair *result, _Bool rough) {
    result->seconds = rough ? rough_long() : any_long();
    result->fraction = rough ? rough_int() : any_int();
    sk_assume(result->seconds >= 0 && result->seconds <= CLOCK_LATEST);
    sk_assume(result->fraction >= 0 && result->fraction < TIME_CLOCK_PARTS);
}

/* So much later. */
static void time_clock_since(struct time_clock_pair *now, long seconds, long fraction) {
    now->seconds += seconds;
    sk_assume(now->seconds >= 0 && now->seconds <= CLOCK_LATEST);
    sk_assume(now->seconds > seconds || now->fraction >= fraction);
}

static struct time_clock_pair time_clock_day(void) {
    struct time_clock_pair now;
    time_clock_some(&now, __selkie_day.set);
    if (!__selkie_day.set) {
        _Bool fine = __selkie_day.fine >= __selkie_day.coarse;
        time_clock_since(&now, fine ? __selkie_day.fine : __selkie_day.coarse, fine ? __selkie_day.part : 0);
    }
    __selkie_day.fine = now.seconds;
    __selkie_day.part = (int)now.fraction;
    return now;
}

/* Clock 0 is that of the day; 5 and 11 show the same in another way. */
static struct time_clock_pair time_clock_now(int clock) {
    struct time_clock_pair now;
    if (clock == 0)
        return time_clock_day();
    _Bool rough = clock < 0 || clock >= TIME_CLOCK_OTHERS || clock == 5;
    time_clock_some(&now, rough);
    if (!rough) {
        time_clock_since(&now, time_clock_last[clock].seconds, time_clock_last[clock].fraction);
        time_clock_last[clock] = now;
    }
    return now;
}

MODEL int gettimeofday(struct time_clock_pair *result, void *zone) {
    if (result) {
        *result = time_clock_day();
        result->fraction /= 1000;
    }
    if (zone)
        system_fill(zone, 2 * sizeof(int));
    return 0;
}

MODEL int settimeofday(const struct time_clock_pair *now, const void *zone) {
    if (now)
        check_read(now, sizeof *now, "settimeofday: the time is readable");
    if (zone)
        check_read(zone, 2 * sizeof(int), "settimeofday: the time zone is readable");
    if (system_status() != 0)
        return -1;
    __selkie_day.set = 1;
    return 0;
}

/* The clocks of Linux with low numbers are always there. */
static int time_clock_missing(int clock) {
    if (clock >= 0 && clock < TIME_CLOCK_OTHERS)
        return 0;
    return rough_bool() ? 0 : system_failed();
}

MODEL int clock_gettime(int clock, struct time_clock_pair *result) {
    check_write(result, sizeof *result, "clock_gettime: the result is writable");
    if (time_clock_missing(clock) != 0)
        return -1;
    *result = time_clock_now(clock);
    return 0;
}

MODEL int clock_getres(int clock, struct time_clock_pair *result) {
    if (result)
        check_write(result, sizeof *result, "clock_getres: the result is writable");
    if (time_clock_missing(clock) != 0)
        return -1;
    if (result)
        time_clock_some(result, 1);
    return 0;
}

MODEL int clock_settime(int clock, const struct time_clock_pair *now) {
    check_read(now, sizeof *now, "clock_settime: the time is readable");
    if (clock != 0)
        return system_failed();
    if (system_status() != 0)
        return -1;
    __selkie_day.set = 1;
    return 0;
}

/* Yields the base, or 0. */
MODEL int timespec_get(struct time_clock_pair *result, int base) {
    if (base <= 0 || (base != 1 && rough_bool()))
        return 0;
    *result = time_clock_now(base - 1);
    return base;
}

MODEL unsigned sleep(unsigned seconds) {
    unsigned left = rough_uint(); /* Only a handler would end it early. */
    sk_assume(left <= seconds);
    return left;
}

MODEL int usleep(unsigned duration) { return (void)duration, system_status(); }

/* What is left is stored if a signal ended the pause. */
static _Bool time_clock_pause(const struct time_clock_pair *duration, struct time_clock_pair *left) {
    check_read(duration, sizeof *duration, "nanosleep: the duration is readable");
    if (any_bool())
        return 1;
    if (left && any_bool()) {
        struct time_clock_pair rest;
        time_clock_some(&rest, 0);
        *left = rest;
    }
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
    static unsigned before;
    unsigned left = before ? rough_uint() : 0;
    sk_assume(left <= before);
    before = seconds;
    return left;
}
