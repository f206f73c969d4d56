// A traffic light with a button, for as long as it runs.
#include <selkie.h>

enum light { RED, GREEN, YELLOW };

int main(void)
{
    enum light cars = GREEN, walkers = RED;
    unsigned ticks = 0;
    for (;;) {
        int button = sk_nondet_bool();
        switch (cars) {
        case GREEN:
            if (button)
                cars = YELLOW;
            break;
        case YELLOW:
            cars = RED;
            walkers = GREEN;
            ticks = 0;
            break;
        case RED:
            if (++ticks == 10) {
                walkers = RED;
                cars = GREEN;
            }
            break;
        }
        sk_assert(!(cars != RED && walkers == GREEN));
        sk_assert(ticks <= 10);
    }
}
