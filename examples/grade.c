// A branch that nobody comes to.
#include <selkie.h>

char grade(unsigned points)
{
    if (points > 100)
        return '?';
    if (points >= 90)
        return 'A';
    if (points >= 50)
        return 'B';
    if (points >= 50 && points < 60)
        return 'C';
    return 'F';
}

int main(void)
{
    unsigned points = sk_nondet_uint();
    char got = grade(points);
    sk_cover(got == 'F' && points == 49);
    return 0;
}
