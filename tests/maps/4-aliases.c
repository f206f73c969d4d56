// Two pointers, to two objects and to one.
#include <selkie.h>

struct account {
    int balance;
};

void move(struct account *from, struct account *to, unsigned n) {
    if (n) {
        move(from, to, n - 1);
        return;
    }
    from->balance -= 5;
    to->balance += 5;
}

int main(void) {
    struct account a = {100}, b = {50};
    move(&a, &b, sk_nondet_uint());
    sk_assert(a.balance == 95 && b.balance == 55);
    struct account c = {7};
    move(&c, &c, sk_nondet_uint());
    sk_assert(a.balance == 95 && c.balance == 7);
}
