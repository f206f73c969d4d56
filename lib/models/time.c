/* time.c: the clock shows any time; calendar fields are in their ranges. They follow from the time and the zone, so
 * that a violation cannot rest on them. */
#include "clock.h"

struct time_calendar {
    int second, minute, hour, day, month, year, week_day, year_day, summer;
    long offset;
    const char *zone;
};

static struct time_calendar time__shared_static;

static int time_field(int low, int high) {
    int value = __selkie_nondet_approx_int();
    sk_assume(low <= value && value <= high);
    return value;
}

static void time_fields(struct time_calendar *calendar) {
    calendar->second = time_field(0, 60);
    calendar->minute = time_field(0, 59);
    calendar->hour = time_field(0, 23);
    calendar->day = time_field(1, 31);
    calendar->month = time_field(0, 11);
    calendar->year = __selkie_nondet_approx_int();
    calendar->week_day = time_field(0, 6);
    calendar->year_day = time_field(0, 365);
    calendar->summer = time_field(-1, 1);
    calendar->offset = time_field(-93600, 93600);
    calendar->zone = "UTC";
}

MODEL long time(long *result) {
    long now = __selkie_day.set ? rough_long() : any_long();
    if (!__selkie_day.set) {
        sk_assume(now >= 0 && now <= CLOCK_LATEST);
        now += __selkie_day.coarse >= __selkie_day.fine ? __selkie_day.coarse : __selkie_day.fine - 1;
    }
    sk_assume(now >= 0 && now <= CLOCK_LATEST);
    __selkie_day.coarse = now;
    if (result)
        *result = now;
    return now;
}

MODEL long clock(void) {
    static long last;
    long step = any_long(), now = 0;
    sk_assume(step >= 0 && !__builtin_add_overflow(last, step, &now));
    last = now;
    return now;
}

MODEL double difftime(long later, long earlier) {
    if (later < earlier)
        return -(double)((unsigned long)earlier - (unsigned long)later);
    return (double)((unsigned long)later - (unsigned long)earlier);
}

/* The year is an int, which is too little for times of 64 bits: up to the first bound it suffices, beyond the second it does
 * not. */
#define TIME_NEAR 67768000000000000
#define TIME_FAR 67768100000000000

static _Bool time_too_far(long long now) {
    unsigned long long distance = now < 0 ? -(unsigned long long)now : (unsigned long long)now;
    return distance > TIME_NEAR && (distance > TIME_FAR || __selkie_nondet_approx_bool());
}

static struct time_calendar *time_convert(const long *when, struct time_calendar *result) {
    if (time_too_far(*(volatile const long *)when)) {
        errno = 75; /* EOVERFLOW */
        return NULL;
    }
    time_fields(result);
    return result;
}

MODEL struct time_calendar *localtime(const long *when) { return time_convert(when, &time__shared_static); }
MODEL struct time_calendar *gmtime(const long *when) { return time_convert(when, &time__shared_static); }

MODEL struct time_calendar *localtime_r(const long *when, struct time_calendar *result) {
    return time_convert(when, result);
}

MODEL struct time_calendar *gmtime_r(const long *when, struct time_calendar *result) {
    return time_convert(when, result);
}

/* Brings the fields into their ranges. */
static long time_from(struct time_calendar *calendar) {
    check_write(calendar, sizeof *calendar, "mktime: the fields are readable and writable");
    if (__selkie_nondet_approx_bool()) {
        errno = 75; /* EOVERFLOW */
        return -1;
    }
    time_fields(calendar);
    unsigned long long high = (unsigned)__selkie_nondet_approx_int();
    return (long)(high << 32 | (unsigned)__selkie_nondet_approx_int());
}

MODEL long mktime(struct time_calendar *calendar) { return time_from(calendar); }
MODEL long timegm(struct time_calendar *calendar) { return time_from(calendar); }
MODEL long timelocal(struct time_calendar *calendar) { return time_from(calendar); }

MODEL void tzset(void) {}
