// Binary search, the library's and ours.
#include <stdlib.h>
#include <svcomp.h>

static const int table[] = {2, 3, 5, 7, 11, 13};
#define COUNT (sizeof table / sizeof table[0])

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int find(int key) {
    size_t low = 0, high = COUNT - 1;  // The bug: the last is never looked at.
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle] == key) return (int)middle;
        if (table[middle] < key) low = middle + 1;
        else high = middle;
    }
    return -1;
}

int main(void) {
    int key = __VERIFIER_nondet_uchar();
    const int *found = bsearch(&key, table, COUNT, sizeof key, compare);
    if ((found ? (int)(found - table) : -1) != find(key)) reach_error();
    return 0;
}
