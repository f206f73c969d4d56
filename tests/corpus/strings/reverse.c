// Reverses a text in place.
#include <string.h>
#include <svcomp.h>

static void reverse(char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length / 2; i++) {
        char c = text[i];
        text[i] = text[length - 1 - i];
        text[length - 1 - i] = c;
    }
}

int main(void) {
    char text[6], copy[6];
    for (int i = 0; i < 5; i++) text[i] = __VERIFIER_nondet_char();
    text[5] = 0;
    strcpy(copy, text);
    reverse(text);
    reverse(text);
    if (strcmp(text, copy) != 0) reach_error();
    return 0;
}
