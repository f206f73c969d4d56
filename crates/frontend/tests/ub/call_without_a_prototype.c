// A pointer without a prototype calls a function with the parameters that it is given.
// checks: reach
// violates: reach
void reach_error(void);
static int sum;
static int add(int *to, int number) {
    *to += number;
    return *to;
}
static void nothing() { sum++; }
static void all(int (*f)(), void (*g)()) {
    g();
    if (f(&sum, 4) == 5)
        reach_error();
}
int main(void) {
    all(add, nothing);
    return 0;
}
