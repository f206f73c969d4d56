//! same: true
//! use_same: true
//! use_some: false(assert)
//! heap: true
//! use_heap: false(assert)
//! free_heap: false(valid-free)
//! before_heap: false(valid-deref)
//! after_heap: false(valid-deref)
//! word: true
//! use_word: false(assert)
//! write_word: false(valid-deref)
//! kept: true
//! use_kept: unknown(unsupported)
//! constant: false(assert)
//! no_constant: true
//! cut: false(assert)
//! quarter: false(assert)
//! use_quarter: false(assert)
//! mixed: unknown(unsupported)
//! turn: false(assert)
//! turn_const: false(assert)
// What contracts say of pointers that are returned, of constants, and at the ends of ranges.
#include <selkie.h>
#include <stdlib.h>
int *same(int *a) sk_requires(sk_writable(a)) sk_ensures(sk_result == a) { return a; }
int use_same(void) { int x = 0; int *q = same(&x); *q = 5; sk_assert(x == 5); return x; }
int *some(int *a) sk_requires(sk_writable(a)) sk_ensures(sk_writable(sk_result)) { return a; }
int use_some(void) { int x = 0; int *q = some(&x); *q = 5; sk_assert(x == 0); return x; }

int *heap(void) sk_ensures(sk_result == 0 || sk_writable(sk_result)) { return malloc(sizeof(int)); }
int use_heap(void) { int x; int *q = heap(); sk_assert(q == 0 || q == &x); return 0; }
int free_heap(void) { free(heap()); return 0; }
int before_heap(void) { int *q = heap(); return q ? q[-1] : 0; }
int after_heap(void) { int *q = heap(); return q ? q[1] : 0; }

const char *word(void) sk_ensures(sk_string(sk_result)) { return "a"; }
int use_word(void) { const char *s = word(); sk_assert(*s == 'a'); return 0; }
int write_word(void) { char *s = (char *)word(); *s = 0; return 0; }

char *kept(void) sk_ensures(sk_writable(sk_result, 4)) { static char b[4]; return b; }
int use_kept(void) { char *s = kept(), *t = kept(); *s = 1; *t = 2; sk_assert(*s == 1); return 0; }

void put(char *p) sk_requires(sk_readable(p, 1)) sk_assigns(*p) { *p = 1; }
int constant(void) { put((char *)"abc"); return 0; }
int no_constant(void) { char s[] = "abc"; put(s); sk_assert(s[1] == 'b'); return 0; }

void cut(int *a, unsigned long n) sk_requires(sk_writable(a, 8)) sk_assigns(sk_bytes(a + 1, n - 4)) { a[0] = 7; }

int quarter(int x) sk_ensures(sk_forall { _Bool i; 0 <= i && i < 2 ==> i != sk_result }) { return x; }
int use_quarter(void) { quarter(3); sk_assert(0); return 0; }
int mixed(int *a) sk_requires(sk_readable(a, 32) && !sk_forall { int i; -1 <= i && i < sizeof(int) ==> i < 0 || a[i] == 0 }) sk_ensures(0) { return 1; }

typedef struct wheel { unsigned at, size; } wheel, *wheel_p;
sk_type_invariant(struct wheel, w, w->at < w->size);
void turn(wheel *w) sk_requires(sk_writable(w)) sk_assigns(w->at) { w->at++; }
void turn_const(wheel_p const w) sk_requires(sk_writable(w)) sk_assigns(w->at) { w->at++; }
