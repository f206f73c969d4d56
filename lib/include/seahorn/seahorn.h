/* seahorn/seahorn.h: the names that programs written for SeaHorn use, with selkie.h's meanings. */
#ifndef SELKIE_SEAHORN_H
#define SELKIE_SEAHORN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Must not be reached. */
void __VERIFIER_error(void) __attribute__((noreturn));

/* Executions in which the condition does not hold do not count. */
void __VERIFIER_assume(int condition);
void __SEA_assume(bool condition);

/* The condition holds; `_if`: it holds if the first does; `_not`: it does not hold. */
void __VERIFIER_assert(bool condition);
void __VERIFIER_assert_if(bool when, bool condition);

/* Memory: may `n` bytes be accessed (0 always may); is the object alive; was it written while
 * tracking was on. Tracking is off at the start. */
bool sea_is_dereferenceable(const void *p, intptr_t n);
bool sea_is_alloc(const char *p);
bool sea_is_modified(char *p);
void sea_reset_modified(char *p);
void sea_tracking_on(void);
void sea_tracking_off(void);

#ifdef __cplusplus
}
#endif

/* SeaHorn's own header does not declare what follows: programs do, in C++ with types and linkage as
 * they like. A template of the same name and symbol gives way to any other declaration. */
#ifdef __cplusplus
#define SELKIE_DECLARE(result, name, params) template <class = void> result name params __asm__(#name)
#else
#define SELKIE_DECLARE(result, name, params) result name params
#endif

/* The `n` bytes at `p` get any contents, unless `p` is null. They must be writable (check `deref`);
 * it is no modification. */
SELKIE_DECLARE(void, memhavoc, (void *p, size_t n));

/* Any value of the type. */
SELKIE_DECLARE(bool, nd_bool, (void));
SELKIE_DECLARE(char, nd_char, (void));
SELKIE_DECLARE(short, nd_short, (void));
SELKIE_DECLARE(int, nd_int, (void));
SELKIE_DECLARE(unsigned, nd_uint, (void));
SELKIE_DECLARE(long, nd_long, (void));
SELKIE_DECLARE(unsigned long, nd_ulong, (void));
SELKIE_DECLARE(int8_t, nd_int8_t, (void));
SELKIE_DECLARE(uint8_t, nd_uint8_t, (void));
SELKIE_DECLARE(int16_t, nd_int16_t, (void));
SELKIE_DECLARE(uint16_t, nd_uint16_t, (void));
SELKIE_DECLARE(int32_t, nd_int32_t, (void));
SELKIE_DECLARE(uint32_t, nd_uint32_t, (void));
SELKIE_DECLARE(int64_t, nd_int64_t, (void));
SELKIE_DECLARE(uint64_t, nd_uint64_t, (void));
SELKIE_DECLARE(size_t, nd_size_t, (void));
SELKIE_DECLARE(void *, nd_ptr, (void));
SELKIE_DECLARE(void *, nd_voidp, (void));

#undef SELKIE_DECLARE

#define __VERIFIER_assert_not(condition) __VERIFIER_assert(!(condition))
#define sea_is_deref sea_is_dereferenceable
#define sea_assert_if __VERIFIER_assert_if
#define assume __SEA_assume
#define sassert(condition) ((condition) ? (void)0 : __VERIFIER_error())

#endif
