// Cuts blanks off the end of a line.
#include <string.h>
#include <svcomp.h>

int main(void) {
    char *line = (char[]){' ', ' ', ' ', 0};
    line[0] = __VERIFIER_nondet_char();
    int end = (int)strlen(line);
    while (line[end - 1] == ' ') line[--end] = 0;  // The bug: nothing stops it in a line of blanks.
    return end;
}
