/* cbmc.h: the names that programs written for CBMC use without declaring them. Those that begin with `__CPROVER_` are known
 * without it. */
#ifndef SELKIE_CBMC_H
#define SELKIE_CBMC_H

#include <selkie/cprover.h>

#ifdef __cplusplus
extern "C" {
#endif

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
