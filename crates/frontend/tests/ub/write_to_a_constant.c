// A cast does not help.
// checks: deref
// violates: deref
static const int c = 1;
int main(void) {
    int *p = (int *)&c;
    *p = 2;
    return 0;
}
