/* time_clock.c: clocks and pauses of POSIX. */
#include <selkie/model.h>

struct time_clock_pair {
    long seconds, fraction;
};

static void time_clock_any(struct time_clock_pair *result, int parts) {
    long seconds = any_long();
    sk_assume(seconds >= 0);
    result->seconds = seconds;
    result->fraction = any_int_in(0, parts - 1);
}

MODEL int gettimeofday(struct time_clock_pair *result, void *zone) {
    if (result)
        time_clock_any(result, 1000000);
    if (zone) {
        check_write(zone, 2 * sizeof(int), "gettimeofday: the time zone is writable");
        __selkie_havoc(zone, 2 * sizeof(int));
    }
    return 0;
}

MODEL int clock_gettime(int clock, struct time_clock_pair *result) {
    (void)clock;
    if (any_bool())
        return -1;
    time_clock_any(result, 1000000000);
    return 0;
}

MODEL int clock_getres(int clock, struct time_clock_pair *result) {
    (void)clock;
    if (any_bool())
        return -1;
    if (result)
        time_clock_any(result, 1000000000);
    return 0;
}

MODEL unsigned sleep(unsigned seconds) {
    unsigned left = any_uint();
    sk_assume(left <= seconds);
    return left;
}

MODEL int usleep(unsigned duration) {
    (void)duration;
    return any_bool() ? 0 : -1;
}

MODEL int nanosleep(const struct time_clock_pair *duration, struct time_clock_pair *left) {
    (void)duration->seconds;
    check_read(duration, sizeof *duration, "nanosleep: the duration is readable");
    if (any_bool())
        return 0;
    if (left)
        time_clock_any(left, 1000000000);
    errno = EINTR;
    return -1;
}

MODEL unsigned alarm(unsigned seconds) {
    (void)seconds;
    return any_uint();
}
