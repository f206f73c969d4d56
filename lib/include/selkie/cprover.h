/* selkie/cprover.h: CBMC's own names. A file that uses them gets this header by itself. */
#ifndef SELKIE_CPROVER_H
#define SELKIE_CPROVER_H

#include <selkie.h>

#ifdef __cplusplus
extern "C" {
typedef bool __CPROVER_bool;
#else
typedef _Bool __CPROVER_bool;
#endif
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

/* As `sk_assume` and `sk_assert`; the text is shown in the report. `__CPROVER_precondition` is an
 * assertion about a function's arguments. */
void __CPROVER_assume(__CPROVER_bool condition);
void __CPROVER_assert(__CPROVER_bool condition, const char *text);
void __CPROVER_cover(__CPROVER_bool condition);
#define __CPROVER_precondition(condition, text) __CPROVER_assert((condition), (text))

/* May `n` bytes be read, written, both? As `sk_is_deref` and `sk_is_deref_write`. */
__CPROVER_bool __CPROVER_r_ok(const void *p, __CPROVER_size_t n);
__CPROVER_bool __CPROVER_w_ok(const void *p, __CPROVER_size_t n);
__CPROVER_bool __CPROVER_rw_ok(const void *p, __CPROVER_size_t n);

/* Between the head of a `while` or `for` and its body: as `sk_invariant` at the beginning of the body.
 * What a loop assigns and why it ends are not checked: nothing rests on it. */
#define __CPROVER_loop_invariant(condition) \
    if (sk_invariant(condition), 0) {       \
    } else
#define __CPROVER_decreases(...)

/* Contracts: see selkie.h. */
#if !defined(__SELKIE_CONTRACTS__)
#define __CPROVER_requires(...)
#define __CPROVER_ensures(...)
#define __CPROVER_assigns(...)
#define __CPROVER_frees(...)
#endif

#define __CPROVER_OBJECT_SIZE(p) sk_object_size(p)
#define __CPROVER_POINTER_OFFSET(p) sk_object_offset(p)
#define __CPROVER_DYNAMIC_OBJECT(p) ((p) != 0 && sk_is_freeable((const char *)(p) - sk_object_offset(p)))
#define __CPROVER_havoc_slice(p, n) sk_havoc((p), (n))

#ifdef __cplusplus
}
#endif
#endif
