//! get: true
//! unguarded: false(valid-deref) unguarded.deref.1
//! beyond: false(valid-deref) beyond.deref.1
//! none: true
//! empty: false(valid-deref)
//! chain: false(valid-deref)
//! frees: false(valid-free) frees.free.1
//! makes: true
//! gives: false(assert) gives.contract.ensures.2
//! made: true
//! clear: true
//! leaves: false(assert) leaves.contract.assigns.1
//! cleared: true
//! kept: false(assert) kept.assert.1
//! length: true
//! string_call: false(assert) length.call.requires.2
//! counter: true
//! count_wrong: false(assert) count_wrong.contract.assigns.1
//! part: true
//! restored: true
//! calls: false(valid-deref) calls.deref.1
//! calls_known: true
//! calls_all: false(assert) calls_all.contract.assigns.1
//! less: false(valid-deref)
//! beyond_part: false(valid-deref)
//! middle: false(assert) whole.call.requires.3
//! nowhere: false(assert) get.call.requires.1
//! may: true
//! may_not: false(assert) may_not.contract.assigns.1
// Pointers: what a contract does not say of them, nobody knows.
#include <selkie.h>
#include <stdlib.h>

int get(const int *p, unsigned n)
    sk_requires(n > 0 && n < 1000 && sk_readable(p, n * sizeof *p))
    sk_ensures(sk_result == p[n - 1])
{ return p[n - 1]; }

int unguarded(const int *p)
    sk_ensures(sk_result == 0 || sk_result != 0)
{ return *p; }

int beyond(const int *p, unsigned n)
    sk_requires(n < 1000 && sk_readable(p, n * sizeof *p))
{ return p[n]; }

int none(const int *p)
    sk_requires(sk_readable(p))
    sk_ensures(sk_result == *p)
{ return *p; }

/* An empty range is readable, and nothing in it. */
char empty(const char *p, unsigned n)
    sk_requires(sk_readable(p, n) && p)
{ return p[0]; }

struct list { struct list *next; int key; };
int chain(struct list *l)
    sk_requires(sk_readable(l))
{ return l->next->key; }

void frees(char *p)
    sk_requires(sk_readable(p, 1))
{ free(p); }

char *makes(unsigned n)
    sk_requires(n > 0 && n < 100)
    sk_ensures(sk_fresh(sk_result, n))
{ return malloc(n); }

char *gives(char *p)
    sk_requires(sk_writable(p, 1))
    sk_ensures(sk_fresh(sk_result, 1))
{ return p; }

int made(void)
{
    char *p = makes(2), *q = makes(3);
    p[1] = 1;
    q[1] = 2;
    int right = p[1] == 1;
    sk_assert(right && p != q);
    free(p);
    free(q);
    return right;
}

void clear(int *p)
    sk_requires(sk_writable(p))
    sk_assigns(*p)
    sk_ensures(*p == 0)
{ *p = 0; }

void leaves(int *p)
    sk_requires(sk_writable(p, 2 * sizeof *p))
    sk_assigns(*p)
{ p[1] = 0; }

int cleared(void)
{
    int a[2] = { 1, 2 };
    clear(&a[0]);
    sk_assert(a[0] == 0 && a[1] == 2);
    return 0;
}

int changed(int *p)
    sk_requires(sk_writable(p))
    sk_assigns(*p)
{ return *p; }

int kept(void)
{
    int x = 1;
    changed(&x);
    sk_assert(x == 1);
    return 0;
}

int length(const char *s)
    sk_requires(sk_string(s) && sk_object_size(s) < 5)
    sk_ensures(sk_result >= 0 && s[sk_result] == 0)
{
    int n = 0;
    while (s[n]) n++;
    return n;
}

int string_call(void)
{
    char text[2] = { 'a', 'b' };
    return length(text);
}

int total;
int counter(void)
    sk_requires(total < 100)
    sk_assigns(total)
    sk_ensures(total == sk_old(total) + 1 && sk_result == total)
{ return ++total; }

int count_wrong(void)
    sk_requires(total < 100)
{ return ++total; }

int part(void)
    sk_requires(total == 5)
    sk_assigns(total)
{
    int n = counter();
    sk_assert(n == 6 && total == 6);
    return n;
}

/* What is changed back was not changed. */
void restored(int *p)
    sk_requires(sk_writable(p))
{
    int x = *p;
    *p = 0;
    *p = x;
}

void may(int *p)
    sk_requires(p == 0 || sk_writable(p))
    sk_assigns(p != 0 : *p)
{ if (p) *p = 1; }

void may_not(int *p, int c)
    sk_requires(sk_writable(p))
    sk_assigns(c > 0 : *p)
{ *p = 1; }

int calls(int (*hook)(void))
    sk_ensures(1)
{ return hook(); }

/* Unknown code changes what it sees. What was written for the contract it does not see. */
int calls_known(int (*hook)(void))
    sk_requires(hook != 0)
    sk_assigns(total)
    sk_ensures(1)
{ return hook(); }

int calls_all(int (*hook)(void))
    sk_requires(hook != 0)
    sk_ensures(1)
{ return hook(); }

/* An object may be smaller than its type. */
struct both { int a, b; };
int less(struct both *s)
    sk_requires(sk_readable(&s->a))
{ return s->b; }

struct links { struct links *left, *right; };
int beyond_part(struct links *l)
    sk_requires(sk_readable(&l->left))
{ return l->right == 0; }

/* The object of a caller's pointer may begin before it: what is left counts. */
void whole(char *p)
    sk_requires(sk_writable(p, 1))
    sk_requires(sk_object_size(p) == 4)
    sk_assigns(sk_bytes(p, 4))
{ p[3] = 1; }

void middle(void)
{
    char a[4] = { 0 };
    whole(a);
    whole(a + 2);
}

int nowhere(void) { return get((const int *)-4, 1); }
