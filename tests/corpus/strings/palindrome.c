// A palindrome reads the same from both ends.
#include <string.h>
#include <svcomp.h>

static int is_palindrome(const char *text) {
    size_t low = 0, high = strlen(text);
    while (low + 1 < high)
        if (text[low++] != text[--high]) return 0;
    return 1;
}

int main(void) {
    char text[6] = {0};
    for (int i = 0; i < 5; i++) text[i] = __VERIFIER_nondet_char();
    if (strlen(text) != 5) return 0;
    int same = text[0] == text[4] && text[1] == text[3];
    if (is_palindrome(text) != same) reach_error();
    return 0;
}
