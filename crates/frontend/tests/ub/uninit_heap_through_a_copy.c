// What is copied, passed and returned is as uninitialised as it was.
// checks: uninit
// violates: uninit
#include <stdlib.h>
#include <string.h>
struct pair { int first, second; };
static int second(struct pair *p) { return p->second; }
int main(void) {
    struct pair *p = malloc(sizeof *p), copy;
    p->first = 1;
    memcpy(&copy, p, sizeof copy);
    if (copy.first != 1)
        return 1;
    if (second(&copy) + 1 > 0)
        return 2;
    return 0;
}
