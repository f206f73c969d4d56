// A stack machine that runs a program it cannot trust.
#include <svcomp.h>

enum { PUSH, ADD, DROP, HALT };

static int run(const unsigned char *code, unsigned size) {
    int stack[3], top = 0;
    for (unsigned at = 0; at < size; at++) {
        switch (code[at] & 3) {
        case PUSH:
            if (top == 3) return -1;
            stack[top++] = code[at] >> 2;
            break;
        case ADD:
            if (top < 1) return -1;  // The bug: two operands are needed.
            top--;
            stack[top - 1] += stack[top];
            break;
        case DROP:
            if (top == 0) return -1;
            top--;
            break;
        case HALT:
            return top > 0 ? stack[top - 1] : 0;
        }
    }
    return -2;
}

int main(void) {
    unsigned char code[5];
    for (int i = 0; i < 5; i++) code[i] = __VERIFIER_nondet_uchar();
    return run(code, sizeof code) == 9;
}
