// Writing one bit-field reads the others, which decides nothing.
// checks: uninit
// violates: nothing
struct bits { unsigned a : 3, b : 5; int c : 7; };
int main(void) {
    struct bits s;
    s.a = 2;
    s.c = -3;
    if (s.a != 2 || s.c != -3)
        return 1;
    s.b = s.a;
    while (s.b < 9)
        s.b++;
    return 0;
}
