/* locale.c: setlocale and localeconv. Character classes, collation and number formats stay those of the C locale. */
#include "text.h"

MODEL char *setlocale(int category, const char *name) {
    __selkie_note("every locale behaves as the C locale");
    static char current__shared[32] = "C";
    (void)category;
    if (!name)
        return current__shared;
    text_read(name);
    if (text_equal(name, "C") || text_equal(name, "POSIX")) {
        current__shared[0] = 'C';
        current__shared[1] = 0;
        return current__shared;
    }
    static _Bool asked;
    if (asked ? rough_bool() : any_bool())
        return NULL;
    if (asked)
        rough_bytes(current__shared, 31);
    else
        __selkie_havoc(current__shared, 31);
    asked = 1;
    current__shared[31] = 0;
    return current__shared;
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
