// Inside the object, outside the array.
// checks: bounds
// violates: bounds
struct s { int a[2]; int b; } s;
int main(void) {
    int i = 2;
    s.a[i] = 1;
    return 0;
}
