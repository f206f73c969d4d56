// Turns letters into capitals, in place.
#include <svcomp.h>

static void capitals(char *text) {
    for (; *text; text++)
        if (*text >= 'a' && *text <= 'z') *text = (char)(*text - 'a' + 'A');
}

int main(void) {
    char *title = "seal";  // The bug: a literal must not be written.
    capitals(title);
    if (title[3] != 'L') reach_error();
    return 0;
}
