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

/* Memory: may `n` bytes be accessed; is the object alive; was it written. */
bool sea_is_dereferenceable(const void *p, intptr_t n);
bool sea_is_alloc(const char *p);
bool sea_is_modified(char *p);
void sea_reset_modified(char *p);
void sea_tracking_on(void);
void sea_tracking_off(void);

/* The `n` bytes at `p` get any contents. */
void memhavoc(void *p, size_t n);

/* Any value of the type. */
bool nd_bool(void);
char nd_char(void);
short nd_short(void);
int nd_int(void);
unsigned nd_uint(void);
long nd_long(void);
unsigned long nd_ulong(void);
int8_t nd_int8_t(void);
uint8_t nd_uint8_t(void);
int16_t nd_int16_t(void);
uint16_t nd_uint16_t(void);
int32_t nd_int32_t(void);
uint32_t nd_uint32_t(void);
int64_t nd_int64_t(void);
uint64_t nd_uint64_t(void);
size_t nd_size_t(void);
void *nd_ptr(void);
void *nd_voidp(void);

#define __VERIFIER_assert_not(condition) __VERIFIER_assert(!(condition))
#define sea_is_deref sea_is_dereferenceable
#define sea_assert_if __VERIFIER_assert_if
#define assume __SEA_assume
#define sassert(condition) ((condition) ? (void)0 : __VERIFIER_error())

#ifdef __cplusplus
}
#endif
#endif
