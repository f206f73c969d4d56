//! decl: true
//! user: true
//! user2: false(assert) user2.assert.1
//! pair_sum: true
//! mk: true
//! usemk: true
//! fillall: true
//! usefill: true
//! usefill_bad: false(assert) usefill_bad.assert.1
//! nested: true
//! dangling: false(valid-deref)
//! selfalias: false(assert) two.call.requires.3
//! escape: false(assert) escape.contract.assigns.2
//! ptr_field: true
//! wrongold: false(assert) wrongold.contract.ensures.2
//! glob_alias: true
//! both_ints: unknown(unsupported)
//! sets_global: unknown(unsupported)
//! hooked: unknown(unsupported)
//! same: false(assert) equal.call.requires.3
//! even: true
//! odd: true
// Calls of functions by their contracts, from every side.
#include <selkie.h>
#include <stddef.h>
#define POS(x) ((x) > 0)
int decl(int x) sk_requires(POS(x) && x < 100) sk_ensures(sk_result == x + 1);
int decl(int x) { return x + 1; }
int user(void) { int r = decl(5); sk_assert(r == 6); return r; }
int user2(void) { int r = decl(5); sk_assert(r == 7); return r; }
struct pair { int a, b; };
int pair_sum(struct pair p) sk_requires(p.a > 0 && p.a < 10 && p.b > 0 && p.b < 10) sk_ensures(sk_result == p.a + p.b && sk_result > 1) { return p.a + p.b; }
struct pair mk(int a, int b) sk_ensures(sk_result.a == a && sk_result.b == b) { struct pair p = {a, b}; return p; }
int usemk(void) { struct pair p = mk(1, 2); sk_assert(p.a == 1 && p.b == 2); return 0; }
void fillall(int *a, int n, int v)
  sk_requires(n >= 0 && n <= 4 && sk_writable(a, n * sizeof(int)))
  sk_assigns(sk_bytes(a, n * sizeof(int)))
  sk_ensures(sk_forall { int i; 0 <= i && i < n ==> a[i] == v })
{ for (int i = 0; i < n; i++) a[i] = v; }
int usefill(void) { int b[4] = {9,9,9,9}; fillall(b, 3, 5); sk_assert(b[0] == 5 && b[2] == 5 && b[3] == 9); return 0; }
int usefill_bad(void) { int b[4] = {9,9,9,9}; fillall(b, 2, 5); sk_assert(b[2] == 5); return 0; }
struct node { struct node *next; int key; };
int nested(struct node *n) sk_requires(sk_readable(n) && sk_readable(n->next)) sk_ensures(sk_result == n->next->key) { return n->next->key; }
int dangling(struct node *n) sk_requires(sk_readable(n) && n->next) { return n->next->key; }
void two(int *p, int *q) sk_requires(sk_writable(p) && sk_writable(q)) sk_assigns(*p, *q) sk_ensures(*p == 1 && *q == 2) { *p = 1; *q = 2; }
void selfalias(void) { int x; two(&x, &x); sk_assert(x == 3); }
int g;
void escape(int *p) sk_requires(sk_writable(p)) sk_assigns(*p) { *p = 1; g = 2; }
void ptr_field(struct node *n, struct node *m) sk_requires(sk_writable(n) && sk_writable(m)) sk_assigns(n->next) sk_ensures(n->next == m) { n->next = m; }
int wrongold(int *p) sk_requires(sk_writable(p) && *p < 100) sk_assigns(*p) sk_ensures(*p == sk_old(*p)) { (*p)++; return 0; }
int glob_alias(void) { g = 5; int x = 0; two(&x, &g); sk_assert(g == 2 && x == 1); return 0; }
int odd(unsigned n) sk_requires(n < 100) sk_ensures(sk_result == (n % 2 == 1));
int even(unsigned n) sk_requires(n < 100) sk_ensures(sk_result == (n % 2 == 0)) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

/* What a caller cannot show to be apart, although the function was checked as if it were: no contract stands for that. */
struct ints { int *p, *q; };
int ints(struct ints *s) sk_requires(sk_readable(s) && sk_writable(s->p) && sk_writable(s->q))
  sk_assigns(*s->p, *s->q) sk_ensures(*s->p == 1 && *s->q == 2) { *s->p = 1; *s->q = 2; return 0; }
int both_ints(void) { int x; struct ints s = {&x, &x}; ints(&s); sk_assert(0); return 0; }
void sets(int *p) sk_requires(sk_writable(p)) sk_assigns(*p, g) sk_ensures(*p == 1 && g == 2) { *p = 1; g = 2; }
void sets_global(void) { sets(&g); sk_assert(0); }
static int secret;
static void tell(void) { secret = 1; }
int hook(void (*f)(void)) sk_requires(f != 0) sk_assigns(g) sk_ensures(1) { f(); return 0; }
int hooked(void) { secret = 0; hook(tell); sk_assert(secret == 0); return secret; }
int equal(char *p, char *q) sk_requires(p) sk_requires(q) sk_ensures(!sk_result) { return p == q; }
void same(void) { char c; equal(&c, &c); }
