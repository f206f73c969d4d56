// Passing it on and storing it decides nothing; unknown code may initialise what it gets.
// checks: uninit
// violates: nothing
void fill(int *);
int __VERIFIER_nondet_int(void);
static int pass(int x) { return x; }
int main(void) {
    int x, y = pass(x), z[3], w = __VERIFIER_nondet_int();
    z[0] = y;
    fill(&z[1]);
    if (w > 3 || z[1] > 4)
        return 1;
    int a, b = 1;
    return b || a;
}
