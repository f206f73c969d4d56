/* selkie/contracts.h: what the functions need that are written for contracts (`selkie verify --function`). It is
 * included before the program; nobody else needs it. */
#ifndef SELKIE_CONTRACTS_H
#define SELKIE_CONTRACTS_H

#include <selkie.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef __SIZE_TYPE__ sk__size;

void __selkie_check(SK_BOOL condition, const char *check, const char *text);

/* Is it null, or does it lead to an object that is alive? */
SK_INLINE SK_BOOL sk__leads(const volatile void *p)
{
    return p == 0 || sk_is_alloc((const void *)p);
}

/* A pointer's object, by its address. */
SK_INLINE const void *sk__object(const volatile void *p)
{
    return (const char *)p - sk_object_offset((const void *)p);
}

/* Do two pointers lead to different objects, or one of them to none? */
SK_INLINE SK_BOOL sk__apart(const volatile void *p, const volatile void *q)
{
    return p == 0 || q == 0 || sk__object(p) != sk__object(q);
}

/* Bytes from there to the end of the object: where an object begins, no contract can say, since a function is checked with
 * pointers that lead to starts, and called with others. */
SK_INLINE __SIZE_TYPE__ sk__left(const volatile void *p)
{
    __SIZE_TYPE__ size = sk_object_size((const void *)p), at = sk_object_offset((const void *)p);
    return at < size ? size - at : 0;
}

/* A terminator somewhere, at a place that is chosen freely. */
SK_INLINE SK_BOOL sk__some_string(const char *s)
{
    __SIZE_TYPE__ n = sk_nondet_size_t();
    return n + 1 != 0 && sk_is_deref(s, n + 1) && s[n] == 0;
}

/* An object of the heap that can be freed: one that the caller cannot have. */
SK_INLINE SK_BOOL sk__is_fresh(const void *p, __SIZE_TYPE__ n)
{
    return p != 0 && sk_is_deref_write(p, n) && sk_is_freeable(p);
}

/* Bytes get any value, as far as they belong to an object that may be written. */
SK_INLINE void sk__anything(void *p, __SIZE_TYPE__ n)
{
    __SIZE_TYPE__ size = sk_object_size(p), at = sk_object_offset(p);
    if (at >= size)
        return;
    if (n > size - at)
        n = size - at;
    if (n != 0 && sk_is_deref_write(p, n))
        sk_havoc(p, n);
}

#ifdef __cplusplus
}
#endif
#endif
