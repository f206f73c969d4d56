// 1e10 is no int.
// checks: float-cast
// violates: float-cast
int main(void) {
    double x = 1e10;
    return (int)x & 0;
}
