/* selkie.h: what a program can ask of the verifier.
 *
 *     #include <selkie.h>
 *
 *     int main(void) {
 *         int x = sk_nondet_int();           // any int
 *         sk_assume(x > 0 && x < 100);       // only these executions count
 *         sk_assert(x * x >= x);             // must hold in all of them
 *     }
 *
 * Nothing here has a body: the verifier gives each function its meaning, and `selkie verify`
 * finds this header without an option. The same meanings exist under the names that other tools
 * use: see svcomp.h, cbmc.h and seahorn/seahorn.h.
 *
 * The arguments of these functions are ordinary expressions, evaluated once, and checked like
 * any other code: `sk_assume(a[i] == 0)` still needs `i` to be inside `a`.
 */
#ifndef SELKIE_H
#define SELKIE_H

#ifdef __cplusplus
extern "C" {
#define SK_BOOL bool
#else
#define SK_BOOL _Bool
#endif

/* ---- Claims and assumptions ------------------------------------------------------------- */

/* An obligation of check `assert`: the condition holds whenever execution gets here. An execution
 * that violates it ends here. */
void sk_assert(SK_BOOL condition);

/* An obligation of check `invariant`: the condition holds whenever execution gets here, in the
 * first round of the loop around it, and in every other. Like every claim it is proved, never
 * believed; a proof by induction may use it for the rounds before the one that is judged. Best
 * at the beginning of the loop's body. */
void sk_invariant(SK_BOOL condition);

/* A question: does an execution come here with the condition true? Answered by `selkie verify --cover`, and
 * nothing otherwise. */
void sk_cover(SK_BOOL condition);

/* Executions in which the condition does not hold end here and do not count. The verdict of
 * whatever follows rests on it. An assumption that nothing satisfies makes all later
 * obligations hold: look for VACUOUS in the report. */
void sk_assume(SK_BOOL condition);

/* ---- Contracts --------------------------------------------------------------------------
 *
 * What a function requires of its callers, what it ensures, and what it changes stand between its parameters
 * and its body, or in a declaration:
 *
 *     int first(int *a, unsigned n)
 *         sk_requires(n > 0 && sk_readable(a, n * sizeof *a))
 *         sk_ensures(sk_result == a[0])
 *         sk_assigns()
 *     { return a[0]; }
 *
 * `selkie verify --function first f.c` checks it for every caller that keeps to what it requires, and believes the
 * contracts of the functions that it calls. For every other tool and command these words are nothing. Inside:
 *
 *     sk_result                  what the function returns           (in sk_ensures)
 *     sk_old(e)                  what `e` was before the call        (in sk_ensures)
 *     sk_fresh(p, n)             `p` leads to a new object of the heap of `n` bytes
 *     sk_readable(p, n)          `n` bytes can be read at `p`; without `n`, one element. sk_writable(p, n) likewise
 *     sk_string(s)               there is a terminator in the object of `s`
 *     a ==> b                    a implies b
 *     sk_forall { int i; 0 <= i && i < n ==> a[i] == 0 }, sk_exists { … }
 *
 * sk_assigns names what may change, of what the caller has: sk_assigns(*p, s->length, sk_bytes(q, n), sk_object(r)), or
 * with a condition, sk_assigns(p != 0: *p). Without it, nothing may.
 *
 *     sk_type_invariant(struct ring, r, r->head < r->size);
 *
 * is required and ensured by every contract of a function that has a parameter `struct ring *`. */
#if !defined(__SELKIE_CONTRACTS__)
#define sk_requires(...)
#define sk_ensures(...)
#define sk_assigns(...)
#define sk_frees(...)
#define sk_type_invariant(...) _Static_assert(1, "")
#endif

#ifdef __cplusplus
#define SK_INLINE inline
#else
#define SK_INLINE static __inline__ __attribute__((__unused__))
#endif

/* ---- Values chosen by the environment --------------------------------------------------- */

/* Any value of the type, at each call anew; counterexamples list the values in order. A bool is
 * 0 or 1; floating-point values include infinities and NaNs; a pointer is any address, without
 * an object of its own: it may be dereferenced only where `sk_is_deref` says so. */
SK_BOOL sk_nondet_bool(void);
char sk_nondet_char(void);
signed char sk_nondet_schar(void);
unsigned char sk_nondet_uchar(void);
short sk_nondet_short(void);
unsigned short sk_nondet_ushort(void);
int sk_nondet_int(void);
unsigned int sk_nondet_uint(void);
long sk_nondet_long(void);
unsigned long sk_nondet_ulong(void);
long long sk_nondet_longlong(void);
unsigned long long sk_nondet_ulonglong(void);
float sk_nondet_float(void);
double sk_nondet_double(void);
long double sk_nondet_longdouble(void);
void *sk_nondet_pointer(void);

__INT8_TYPE__ sk_nondet_int8_t(void);
__UINT8_TYPE__ sk_nondet_uint8_t(void);
__INT16_TYPE__ sk_nondet_int16_t(void);
__UINT16_TYPE__ sk_nondet_uint16_t(void);
__INT32_TYPE__ sk_nondet_int32_t(void);
__UINT32_TYPE__ sk_nondet_uint32_t(void);
__INT64_TYPE__ sk_nondet_int64_t(void);
__UINT64_TYPE__ sk_nondet_uint64_t(void);
#ifdef __SIZEOF_INT128__
__int128 sk_nondet_int128(void);
unsigned __int128 sk_nondet_uint128(void);
#endif
__SIZE_TYPE__ sk_nondet_size_t(void);
__PTRDIFF_TYPE__ sk_nondet_ssize_t(void);
__PTRDIFF_TYPE__ sk_nondet_ptrdiff_t(void);
__INTPTR_TYPE__ sk_nondet_intptr_t(void);
__UINTPTR_TYPE__ sk_nondet_uintptr_t(void);
__WCHAR_TYPE__ sk_nondet_wchar_t(void);

/* The `n` bytes at `p` get any contents. They must be writable (check `deref`). */
void sk_havoc(void *p, __SIZE_TYPE__ n);

/* ---- Questions about memory ------------------------------------------------------------- */

/* May `n` bytes be read at `p`: do they lie inside the live object that `p` points into? */
SK_BOOL sk_is_deref(const void *p, __SIZE_TYPE__ n);

/* The same for writing: the object must not be constant. */
SK_BOOL sk_is_deref_write(const void *p, __SIZE_TYPE__ n);

/* Does `p` point into (or one past) an object that is alive: not freed, its scope not left? */
SK_BOOL sk_is_alloc(const void *p);

/* The same, as contracts have it. */
#if !defined(__SELKIE_CONTRACTS__)
#define sk_readable(p, n) sk_is_deref((p), (n))
#define sk_writable(p, n) sk_is_deref_write((p), (n))
#endif

/* Is there a terminator in the object that `s` points into? */
SK_INLINE SK_BOOL sk_string(const char *s)
{
    for (;; s++) {
        if (!sk_is_deref(s, 1))
            return 0;
        if (*s == 0)
            return 1;
    }
}

/* Is `p` null or the start of a live heap object, so that `free(p)` is right? */
SK_BOOL sk_is_freeable(const void *p);

/* Size in bytes of the object that `p` points into, 0 if there is none; and where in it `p` is. */
__SIZE_TYPE__ sk_object_size(const void *p);
__SIZE_TYPE__ sk_object_offset(const void *p);

/* Was the object of `p` written since it was made, or since the last `sk_reset_modified`? */
SK_BOOL sk_is_modified(const void *p);
void sk_reset_modified(const void *p);

/* Between `off` and `on`, writes do not count as modifications. On at the start. */
void sk_tracking_on(void);
void sk_tracking_off(void);

#ifdef __cplusplus
}
#endif
#endif
