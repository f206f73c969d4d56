/* stdlib_strtod.c: strtod and its relatives. See decimal.h for what is exact. */
#include "decimal.h"

MODEL double strtod(const char *s, char **end) {
    struct decimal number = decimal_read(s);
    if (end)
        *end = (char *)number.end;
    return decimal_value(&number);
}

MODEL double atof(const char *s) {
    struct decimal number = decimal_read(s);
    return decimal_value(&number);
}

MODEL float strtof(const char *s, char **end) {
    struct decimal number = decimal_read(s);
    if (end)
        *end = (char *)number.end;
    return decimal_value_float(&number);
}

MODEL long double strtold(const char *s, char **end) {
    struct decimal number = decimal_read(s);
    if (end)
        *end = (char *)number.end;
    return decimal_value_long(&number);
}
