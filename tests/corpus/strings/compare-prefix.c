// Is one text the beginning of another?
#include <string.h>
#include <svcomp.h>

static int starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

int main(void) {
    char text[4];
    for (int i = 0; i < 3; i++) text[i] = __VERIFIER_nondet_char();
    text[3] = 0;
    int starts = starts_with(text, "ab");
    if (starts && (text[0] != 'a' || text[1] != 'b')) reach_error();
    if (!starts && text[0] == 'a' && text[1] == 'b') reach_error();
    return 0;
}
