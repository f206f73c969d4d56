/* time.c: the clock shows any time; calendar fields are in their ranges. */
#include <selkie/model.h>

struct time_calendar {
    int second, minute, hour, day, month, year, week_day, year_day, summer;
    long offset;
    const char *zone;
};

static struct time_calendar time_static;

static void time_calendar_any(struct time_calendar *calendar) {
    calendar->second = any_int_in(0, 60);
    calendar->minute = any_int_in(0, 59);
    calendar->hour = any_int_in(0, 23);
    calendar->day = any_int_in(1, 31);
    calendar->month = any_int_in(0, 11);
    calendar->year = any_int();
    calendar->week_day = any_int_in(0, 6);
    calendar->year_day = any_int_in(0, 365);
    calendar->summer = any_int_in(-1, 1);
    calendar->offset = any_int_in(-86400, 86400);
    calendar->zone = "UTC";
}

static long time_any(void) {
    long value = any_long();
    sk_assume(value >= -1);
    return value;
}

MODEL long time(long *result) {
    long now = time_any();
    if (result)
        *result = now;
    return now;
}

MODEL long clock(void) {
    return time_any();
}

MODEL double difftime(long later, long earlier) {
    if (later < earlier)
        return -(double)((unsigned long)earlier - (unsigned long)later);
    return (double)((unsigned long)later - (unsigned long)earlier);
}

static struct time_calendar *time_convert(const long *when, struct time_calendar *result) {
    (void)*(volatile const long *)when;
    if (any_bool())
        return NULL;
    time_calendar_any(result);
    return result;
}

MODEL struct time_calendar *localtime(const long *when) { return time_convert(when, &time_static); }
MODEL struct time_calendar *gmtime(const long *when) { return time_convert(when, &time_static); }

MODEL struct time_calendar *localtime_r(const long *when, struct time_calendar *result) {
    return time_convert(when, result);
}

MODEL struct time_calendar *gmtime_r(const long *when, struct time_calendar *result) {
    return time_convert(when, result);
}

/* Brings the fields into their ranges. */
MODEL long mktime(struct time_calendar *calendar) {
    check_read(calendar, sizeof *calendar, "mktime: the fields are readable");
    if (any_bool())
        return -1;
    time_calendar_any(calendar);
    return any_long();
}

MODEL long timegm(struct time_calendar *calendar) {
    check_read(calendar, sizeof *calendar, "timegm: the fields are readable");
    if (any_bool())
        return -1;
    time_calendar_any(calendar);
    return any_long();
}

MODEL void tzset(void) {}
