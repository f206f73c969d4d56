// A counter that begins to count later than the other one.
#include <svcomp.h>

int main(void) {
    unsigned x = 0, y = 5000;
    while (x < 1000000) {
        if (x >= 5000) y++;
        x++;
    }
    if (y != 1000000) reach_error();
    return 0;
}
