/* locale.c: setlocale and localeconv. Character classes, collation and number formats stay those of the C locale. */
#include "text.h"

MODEL char *setlocale(int category, const char *name) {
    __selkie_note("every locale behaves as the C locale");
    static char current[32] = "C";
    (void)category;
    if (!name)
        return current;
    text_read(name);
    if (text_equal(name, "C") || text_equal(name, "POSIX")) {
        current[0] = 'C';
        current[1] = 0;
        return current;
    }
    static _Bool asked;
    if (asked ? rough_bool() : any_bool())
        return NULL;
    if (asked)
        rough_bytes(current, 31);
    else
        __selkie_havoc(current, 31);
    asked = 1;
    current[31] = 0;
    return current;
}

/* As the C library of the platform lays it out. */
struct lconv {
    char *decimal_point, *thousands_sep, *grouping;
    char *int_curr_symbol, *currency_symbol, *mon_decimal_point, *mon_thousands_sep, *mon_grouping;
    char *positive_sign, *negative_sign;
    char numbers[14];
};

MODEL struct lconv *localeconv(void) {
    __selkie_note("every locale behaves as the C locale");
    static struct lconv conventions = {
        ".", "", "", "", "", "", "", "", "", "",
        /* CHAR_MAX says that there is none. */
        {127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127, 127},
    };
    return &conventions;
}
