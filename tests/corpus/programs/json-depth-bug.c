// Are the brackets of a text balanced?
#include <svcomp.h>

static int balanced(const char *text) {
    char open[4];
    int depth = 0;
    for (; *text; text++) {
        if (*text == '(' || *text == '[') {
            if (depth == 4) return 0;
            open[depth++] = *text;
        } else {
            if (depth == 0) return 0;
            --depth;  // The bug: any bracket closes any other.
        }
    }
    return depth == 0;
}

int main(void) {
    char text[5] = {0};
    for (int i = 0; i < 4; i++) text[i] = "()[]"[__VERIFIER_nondet_uint() % 4];
    if (balanced(text) && text[0] == '(' && text[1] == ']') reach_error();
    if (text[0] == '(' && text[1] == ')' && text[2] == '[' && text[3] == ']' && !balanced(text)) reach_error();
    return 0;
}
