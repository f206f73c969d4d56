/* cbmc.h: the names that programs written for CBMC use without declaring them. Include it before
 * the program (`--cflags "-include cbmc.h"`); undeclared calls would get C's implicit `int` types. */
#ifndef SELKIE_CBMC_H
#define SELKIE_CBMC_H

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
#define __CPROVER_assigns(...)
#define __CPROVER_decreases(...)

#define __CPROVER_OBJECT_SIZE(p) sk_object_size(p)
#define __CPROVER_POINTER_OFFSET(p) sk_object_offset(p)
#define __CPROVER_DYNAMIC_OBJECT(p) ((p) != 0 && sk_is_freeable((const char *)(p) - sk_object_offset(p)))
#define __CPROVER_havoc_slice(p, n) sk_havoc((p), (n))

/* Any value of the type. */
__CPROVER_bool nondet_bool(void);
char nondet_char(void);
signed char nondet_schar(void);
unsigned char nondet_uchar(void);
short nondet_short(void);
unsigned short nondet_ushort(void);
int nondet_int(void);
unsigned int nondet_uint(void);
long nondet_long(void);
unsigned long nondet_ulong(void);
long long nondet_longlong(void);
unsigned long long nondet_ulonglong(void);
float nondet_float(void);
double nondet_double(void);
void *nondet_pointer(void);
__SIZE_TYPE__ nondet_size_t(void);

#ifdef __cplusplus
}
#endif
#endif
