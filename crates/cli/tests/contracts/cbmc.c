//! fill: true
//! fill_less: false(assert) fill_less.contract.ensures.2
//! filled: true
//! search: true
//! factorial: true
//! wrong_recursion: false(assert) wrong_recursion.call.requires.1
//! never: true VACUOUS
//! stuck: true VACUOUS
//! impossible: true VACUOUS
//! not_all: false(assert) not_all.contract.ensures.2
//! swap: true
// CBMC's spellings, without an include.
int a[4];

void fill(int x)
    __CPROVER_assigns(__CPROVER_object_whole(a))
    __CPROVER_ensures(__CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] == x })
{
    for (int i = 0; i < 4; i++)
        __CPROVER_loop_invariant(i >= 0 && i <= 4)
        a[i] = x;
}

void fill_less(int x)
    __CPROVER_assigns(__CPROVER_object_whole(a))
    __CPROVER_ensures(__CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] == x })
{
    for (int i = 0; i < 3; i++)
        a[i] = x;
}

int filled(int k)
    __CPROVER_requires(k >= 0 && k < 4)
    __CPROVER_assigns(__CPROVER_object_whole(a))
    __CPROVER_ensures(__CPROVER_return_value == 7)
{
    fill(7);
    return a[k];
}

int search(const int *p, int x)
    __CPROVER_requires(__CPROVER_is_fresh(p, 3 * sizeof(*p)))
    __CPROVER_requires(__CPROVER_exists { int i; 0 <= i && i < 3 && p[i] == x })
    __CPROVER_ensures(__CPROVER_return_value >= 0 && p[__CPROVER_return_value] == x)
{
    for (int i = 0; i < 3; i++)
        if (p[i] == x) return i;
    return -1;
}

unsigned factorial(unsigned n)
    __CPROVER_requires(n < 10)
    __CPROVER_ensures(__CPROVER_return_value > 0 || n > 5)
{
    return n == 0 ? 1 : n * factorial(n - 1) > 0 ? 1 : n > 5 ? 0 : 1;
}

int wrong_recursion(int n)
    __CPROVER_requires(n > 0)
    __CPROVER_ensures(__CPROVER_return_value == 0)
{
    return n == 1 ? 0 : wrong_recursion(n - 2);
}

int never(int x)
    __CPROVER_requires(x > 0 && x < 0)
    __CPROVER_ensures(__CPROVER_return_value == 12)
{ return x; }

int stuck(int x)
    __CPROVER_ensures(__CPROVER_return_value == 12)
{ for (;;) ; }

int contradiction(int x)
    __CPROVER_ensures(__CPROVER_return_value == 1)
    __CPROVER_ensures(__CPROVER_return_value == 2);

int impossible(int x)
{
    int y = contradiction(x);
    __CPROVER_assert(y == 3, "anything follows");
    return y;
}

int not_all(int n)
    __CPROVER_requires(n > 0 && n < 5)
    __CPROVER_ensures(!__CPROVER_forall { int i; (0 <= i && i < n) ==> i != 3 })
{ return 0; }

void swap(int *p, int *q)
    __CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)))
    __CPROVER_requires(__CPROVER_is_fresh(q, sizeof(int)))
    __CPROVER_assigns(*p, *q)
    __CPROVER_ensures(*p == __CPROVER_old(*q) && *q == __CPROVER_old(*p))
{
    int t = *p;
    *p = *q;
    *q = t;
}
