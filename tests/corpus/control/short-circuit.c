// The second operand is evaluated only if the first does not decide.
#include <svcomp.h>

static int asked;
static int ask(int answer) {
    asked++;
    return answer;
}

int main(void) {
    int a = __VERIFIER_nondet_bool(), b = __VERIFIER_nondet_bool();
    int both = ask(a) && ask(b);
    if (asked != (a ? 2 : 1)) reach_error();
    if (both != (a & b)) reach_error();
    int either = ask(a) || ask(b), which = ask(a) ? 10 : 20;
    if (either != (a | b) || which != 20 - 10 * a) reach_error();
    return 0;
}
