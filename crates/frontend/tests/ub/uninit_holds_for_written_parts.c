// A copy of a structure with holes and unwritten fields, of which only written ones are looked at.
// checks: uninit
// violates: nothing
#include <stdlib.h>
struct mixed { char letter; int number; long other; };
static struct mixed make(int number) {
    struct mixed m;
    m.letter = 'x';
    m.number = number;
    return m;
}
int main(void) {
    struct mixed m = make(3), n = m, *p = calloc(1, sizeof *p);
    if (n.letter != 'x' || n.number != 3)
        return 1;
    for (int i = 0; i < n.number; i++)
        p->number += i;
    if (p->other || p->letter)
        return 2;
    int x;
    x = x & 0;
    return x ? 3 : 0;
}
