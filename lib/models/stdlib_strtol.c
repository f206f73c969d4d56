/* stdlib_strtol.c: strtol and its relatives, exactly. */
#include "number.h"

#define LONGLONG_MAX 0x7fffffffffffffffULL
#define LONG_MAX_VALUE ((unsigned long)-1 >> 1)

static _Bool stdlib_strtol_base(int base) {
    if (base >= 0 && base != 1 && base <= 36)
        return 1;
    errno = EINVAL;
    return 0;
}

/* `positive` is the type's maximum; a negative number may be larger by one. */
static long long stdlib_strtol_signed(const char *s, char **end, int base,
                                      unsigned long long positive, _Bool c23) {
    if (!stdlib_strtol_base(base))
        return 0;
    struct number number = number_read(s, base, positive, positive + 1, c23);
    if (end)
        *end = (char *)number.end;
    if (!number.large)
        return number.negative ? -(long long)number.value : (long long)number.value;
    errno = ERANGE;
    return number.negative ? -(long long)positive - 1 : (long long)positive;
}

static unsigned long long stdlib_strtol_unsigned(const char *s, char **end, int base,
                                                 unsigned long long limit, _Bool c23) {
    if (!stdlib_strtol_base(base))
        return 0;
    struct number number = number_read(s, base, limit, limit, c23);
    if (end)
        *end = (char *)number.end;
    if (number.large) {
        errno = ERANGE;
        return limit;
    }
    return number.negative ? -number.value : number.value;
}

MODEL long strtol(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONG_MAX_VALUE, 0);
}

MODEL long __isoc23_strtol(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONG_MAX_VALUE, 1);
}

MODEL long __strtol_internal(const char *s, char **end, int base, int group) {
    (void)group;
    return stdlib_strtol_signed(s, end, base, LONG_MAX_VALUE, 0);
}

MODEL long long strtoll(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONGLONG_MAX, 0);
}

MODEL long long __isoc23_strtoll(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONGLONG_MAX, 1);
}

MODEL long long strtoq(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONGLONG_MAX, 0);
}

MODEL intmax_t strtoimax(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONGLONG_MAX, 0);
}

MODEL intmax_t __isoc23_strtoimax(const char *s, char **end, int base) {
    return stdlib_strtol_signed(s, end, base, LONGLONG_MAX, 1);
}

MODEL unsigned long strtoul(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long)-1, 0);
}

MODEL unsigned long __isoc23_strtoul(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long)-1, 1);
}

MODEL unsigned long __strtoul_internal(const char *s, char **end, int base, int group) {
    (void)group;
    return stdlib_strtol_unsigned(s, end, base, (unsigned long)-1, 0);
}

MODEL unsigned long long strtoull(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long long)-1, 0);
}

MODEL unsigned long long __isoc23_strtoull(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long long)-1, 1);
}

MODEL unsigned long long strtouq(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long long)-1, 0);
}

MODEL uintmax_t strtoumax(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long long)-1, 0);
}

MODEL uintmax_t __isoc23_strtoumax(const char *s, char **end, int base) {
    return stdlib_strtol_unsigned(s, end, base, (unsigned long long)-1, 1);
}

/* atoi is undefined where the number does not fit; as glibc, it is strtol's result cut to size. */
MODEL int atoi(const char *s) {
    return (int)stdlib_strtol_signed(s, NULL, 10, LONG_MAX_VALUE, 0);
}

MODEL long atol(const char *s) {
    return stdlib_strtol_signed(s, NULL, 10, LONG_MAX_VALUE, 0);
}

MODEL long long atoll(const char *s) {
    return stdlib_strtol_signed(s, NULL, 10, LONGLONG_MAX, 0);
}
