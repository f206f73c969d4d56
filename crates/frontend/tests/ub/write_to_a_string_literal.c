// Literals are constant.
// checks: deref
// violates: deref
int main(void) {
    char *p = "abc";
    p[0] = 'x';
    return 0;
}
