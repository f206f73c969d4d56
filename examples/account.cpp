// C++: a class whose invariant a member function breaks.
#include <selkie.h>

class Account {
public:
    explicit Account(int limit) : balance(0), limit(limit) {}

    bool withdraw(int amount)
    {
        if (amount < 0 || balance + limit + 1 < amount)
            return false;
        balance -= amount;
        return true;
    }

    int balance;

private:
    int limit;
};

int main()
{
    Account account(100);
    int amount = sk_nondet_int();
    account.withdraw(amount);
    sk_assert(account.balance >= -100);
}
