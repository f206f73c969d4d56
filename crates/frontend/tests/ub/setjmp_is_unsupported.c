// Coming back is an obligation where it stands.
// checks: assert
// violates: unsupported
#include <setjmp.h>
static jmp_buf b;
int main(void) {
    if (setjmp(b))
        return 1;
    longjmp(b, 1);
}
