// NaN is out of every range.
// checks: float-cast
// violates: float-cast
int main(void) {
    double x = 0.0;
    x = x / x;
    return (int)x & 0;
}
