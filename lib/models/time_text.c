/* time_text.c: times as text. */
#include <selkie/model.h>

/* 24 characters, a newline and a terminator, as the standard lays them out. */
static char *time_text_any(char *to) {
    check_write(to, 26, "asctime_r: the array has 26 bytes");
    for (int i = 0; i < 24; i++) {
        char c = any_char();
        sk_assume(c >= ' ' && c <= '~');
        to[i] = c;
    }
    to[24] = '\n';
    to[25] = 0;
    return to;
}

static char time_text_static[26];

MODEL char *ctime(const long *when) {
    (void)*(volatile const long *)when;
    return any_bool() ? NULL : time_text_any(time_text_static);
}

MODEL char *ctime_r(const long *when, char *to) {
    (void)*(volatile const long *)when;
    return any_bool() ? NULL : time_text_any(to);
}

MODEL char *asctime(const void *calendar) {
    check_read(calendar, 9 * sizeof(int), "asctime: the fields are readable");
    return any_bool() ? NULL : time_text_any(time_text_static);
}

MODEL char *asctime_r(const void *calendar, char *to) {
    check_read(calendar, 9 * sizeof(int), "asctime_r: the fields are readable");
    return any_bool() ? NULL : time_text_any(to);
}

/* Nothing, or fewer than `limit` characters. */
MODEL size_t strftime(char *to, size_t limit, const char *format, const void *calendar) {
    for (size_t i = 0; format[i]; i++)
        continue;
    check_read(calendar, 9 * sizeof(int), "strftime: the fields are readable");
    if (limit == 0)
        return 0;
    check_write(to, limit, "strftime: the array has as many bytes as it is said to have");
    size_t count = any_size();
    sk_assume(count < limit);
    if (count == 0 && any_bool()) {
        __selkie_havoc(to, limit);
        return 0;
    }
    __selkie_havoc(to, count);
    for (size_t i = 0; i + 1 < limit; i++)
        sk_assume(i >= count || to[i]);
    to[count] = 0;
    return count;
}
