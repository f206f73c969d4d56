// An int at an odd address.
// checks: align
// violates: align
int main(void) {
    _Alignas(8) char a[8] = {0};
    int *p = (int *)(a + 1);
    return *p;
}
