// Skips the blanks of a copied text.
#include <stdlib.h>
#include <string.h>
#include <svcomp.h>

int main(void) {
    char *text = malloc(8), *start;
    if (!text) return 0;
    strcpy(text, "  ab");
    text[0] = __VERIFIER_nondet_bool() ? ' ' : 'c';
    for (start = text; *start == ' '; start++) {}
    int length = (int)strlen(start);
    free(start);  // The bug: not the beginning of the block, if there is a blank.
    return length;
}
