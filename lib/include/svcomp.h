/* svcomp.h: prototypes of the functions that programs of the Competition on Software Verification
 * call without defining them. Such programs usually declare what they use; this header is for
 * those that do not, and for new ones.
 *
 * Each `__VERIFIER_nondet_T` yields any value of its type, as `sk_nondet_T` of selkie.h does. */
#ifndef SELKIE_SVCOMP_H
#define SELKIE_SVCOMP_H

#ifdef __cplusplus
extern "C" {
#define SK_SVCOMP_BOOL bool
#else
#define SK_SVCOMP_BOOL _Bool
#endif

/* Must not be reached (property unreach-call). `__VERIFIER_error` is its older name. */
void reach_error(void);
void __VERIFIER_error(void) __attribute__((noreturn));

/* Executions in which the condition is 0 do not count. */
void __VERIFIER_assume(int condition);

/* The condition is not 0. */
void __VERIFIER_assert(int condition);

SK_SVCOMP_BOOL __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_schar(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned char __VERIFIER_nondet_unsigned_char(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned short __VERIFIER_nondet_unsigned_short(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned int __VERIFIER_nondet_unsigned(void);
unsigned int __VERIFIER_nondet_unsigned_int(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
unsigned long __VERIFIER_nondet_unsigned_long(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
unsigned long long __VERIFIER_nondet_unsigned_long_long(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void *__VERIFIER_nondet_pointer(void);
char *__VERIFIER_nondet_pchar(void);

__SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
long long __VERIFIER_nondet_loff_t(void);
unsigned long __VERIFIER_nondet_sector_t(void);
unsigned long __VERIFIER_nondet_pthread_t(void);
__UINT8_TYPE__ __VERIFIER_nondet_u8(void);
__UINT16_TYPE__ __VERIFIER_nondet_u16(void);
__UINT32_TYPE__ __VERIFIER_nondet_u32(void);
__UINT64_TYPE__ __VERIFIER_nondet_u64(void);
#ifdef __SIZEOF_INT128__
__int128 __VERIFIER_nondet_int128(void);
unsigned __int128 __VERIFIER_nondet_uint128(void);
#endif

/* No other thread runs in between. Programs with one thread lose nothing. */
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifdef __cplusplus
}
#endif
#endif
