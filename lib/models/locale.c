/* locale.c: setlocale. Character classes, collation and number formats stay those of the C locale. */
#include "text.h"

MODEL char *setlocale(int category, const char *name) {
    __selkie_note("every locale behaves as the C locale");
    static char current[32] = "C";
    (void)category;
    if (!name)
        return current;
    if (text_equal(name, "C") || text_equal(name, "POSIX")) {
        current[0] = 'C';
        current[1] = 0;
        return current;
    }
    if (any_bool())
        return NULL;
    __selkie_havoc(current, 31);
    current[31] = 0;
    return current;
}
