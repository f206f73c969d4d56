// Cuts blanks off the end of a line.
#include <string.h>
#include <svcomp.h>

int main(void) {
    char *line = (char[]){' ', ' ', ' ', 0};
    line[0] = __VERIFIER_nondet_char();
    int end = (int)strlen(line);
    while (end > 0 && line[end - 1] == ' ') line[--end] = 0;
    return end;
}
