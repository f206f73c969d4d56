// Evaluates an expression of digits, sums and products by recursive descent.
#include <svcomp.h>

static const char *input;

static int expression(void);

static int factor(void) {
    if (*input == '(') {
        input++;
        int value = expression();
        if (*input == ')') input++;
        return value;
    }
    return *input >= '0' && *input <= '9' ? *input++ - '0' : 0;
}

static int term(void) {
    int value = factor();
    while (*input == '*') {
        input++;
        value *= factor();
    }
    return value;
}

static int expression(void) {
    int value = term();
    while (*input == '+') {
        input++;
        value += term();
    }
    return value;
}

int main(void) {
    char text[] = "2+3*(4+?)";
    int digit = __VERIFIER_nondet_uint() % 10;
    text[7] = (char)('0' + digit);
    input = text;
    int value = expression();
    if (value != 2 + 3 * (4 + digit) || *input) reach_error();
    return 0;
}
