/* time_text.c: times as text. It follows from the time: only its form is known here, and a violation cannot rest on
 * it. */
#include "text.h"

/* A printable character. */
static char time_text_character(void) {
    char c = __selkie_nondet_approx_char() & 127;
    if (c < ' ')
        return c + ' ';
    return c == 127 ? '~' : c;
}

/* 24 characters, a newline and a terminator, as the standard lays them out. */
static char *time_text_any(char *to) {
    check_write(to, 26, "asctime_r: the array has 26 bytes");
    for (int i = 0; i < 24; i++)
        to[i] = time_text_character();
    to[24] = '\n';
    to[25] = 0;
    return to;
}

static char time_text__shared_static[26];

/* Null stands for a year that has not four characters. */
static char *time_text_of(const long *when, char *to) {
    long long now = *(volatile const long *)when;
    if ((now < -90000000000 || now > 253402200000) && __selkie_nondet_approx_bool())
        return NULL;
    return time_text_any(to);
}

static char *time_text_of_fields(const int *calendar, char *to) {
    check_read(calendar, 9 * sizeof(int), "asctime: the fields are readable");
    if ((calendar[5] < -2899 || calendar[5] > 8099) && __selkie_nondet_approx_bool())
        return NULL;
    return time_text_any(to);
}

MODEL char *ctime(const long *when) { return time_text_of(when, time_text__shared_static); }
MODEL char *ctime_r(const long *when, char *to) { return time_text_of(when, to); }
MODEL char *asctime(const int *calendar) { return time_text_of_fields(calendar, time_text__shared_static); }
MODEL char *asctime_r(const int *calendar, char *to) { return time_text_of_fields(calendar, to); }

/* Nothing, or fewer than `limit` characters. */
MODEL size_t strftime(char *to, size_t limit, const char *format, const void *calendar) {
    text_read(format);
    check_read(calendar, 9 * sizeof(int), "strftime: the fields are readable");
    if (limit == 0)
        return 0;
    check_write(to, limit, "strftime: the array has as many bytes as it is said to have");
    if (__selkie_nondet_approx_bool()) {
        __selkie_havoc(to, limit);
        return 0;
    }
    int count = __selkie_nondet_approx_int();
    sk_assume(count >= 0 && (size_t)count < limit);
    for (size_t i = 0; i + 1 < limit; i++) {
        char c = __selkie_nondet_approx_char();
        if (i < (size_t)count)
            to[i] = c ? c : ' ';
    }
    to[count] = 0;
    return count;
}

/* Where the text that fits the format ends, or null. The fields that the format names change. */
MODEL char *strptime(const char *text, const char *format, int *calendar) {
    static const int most[9] = {61, 59, 23, 31, 11, 2147483647, 6, 365, 2147483647};
    size_t n = text_length(text);
    text_read(format);
    check_write(calendar, 9 * sizeof(int), "strptime: the fields are writable");
    for (int i = 0; i < 9; i++) {
        int value = __selkie_nondet_approx_int();
        if (value >= 0 && value <= most[i])
            calendar[i] = value;
    }
    int end = __selkie_nondet_approx_int();
    return end >= 0 && (size_t)end <= n ? (char *)text + end : NULL;
}
