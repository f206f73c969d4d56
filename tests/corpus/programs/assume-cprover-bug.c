// The names of another verifier.
int main(void) {
    int x = nondet_int(), y = nondet_int();
    __CPROVER_assume(x > 0 && y > 0);  // The bug: the sum may wrap.
    unsigned sum = (unsigned)x + (unsigned)y;
    __CPROVER_assert((int)sum > x, "the sum of positive numbers is larger");
    return 0;
}
