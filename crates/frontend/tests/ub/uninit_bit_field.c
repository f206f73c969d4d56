// A bit-field in the same word as one that was written.
// checks: uninit
// violates: uninit
struct bits { unsigned a : 3, b : 5; };
int main(void) {
    struct bits s;
    s.a = 2;
    if (s.a != 2)
        return 1;
    if (s.b)
        return 2;
    return 0;
}
