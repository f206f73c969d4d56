// Sorts pointers to records instead of the records.
#include <svcomp.h>

struct record {
    int key;
    char name[4];
};

int main(void) {
    struct record a = {__VERIFIER_nondet_int(), "a"}, b = {__VERIFIER_nondet_int(), "b"}, c = {__VERIFIER_nondet_int(), "c"};
    struct record *order[] = {&a, &b, &c};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j + 1 < i; j++)  // The bug: far too few exchanges.
            if (order[j]->key > order[j + 1]->key) {
                struct record *t = order[j];
                order[j] = order[j + 1];
                order[j + 1] = t;
            }
    if (order[0]->key > order[1]->key || order[1]->key > order[2]->key) reach_error();
    if (order[0] == order[1] || order[1] == order[2] || order[0] == order[2]) reach_error();
    return 0;
}
