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

/* Can a function change bytes there, as far as they belong to an object? */
SK_INLINE SK_BOOL sk__can_change(void *p, __SIZE_TYPE__ n)
{
    __SIZE_TYPE__ left = sk__left(p);
    if (n > left)
        n = left;
    return n == 0 || !sk_is_deref(p, n) || sk_is_deref_write(p, n);
}

/* An object that is somebody else's, and stays. Whoever has it can free it or look before its beginning, but not both: so whatever is wrong
 * with an object whose owner is not known is wrong with one of the two. */
struct sk__kept { struct sk__kept *next; void *object; };
static struct sk__kept *sk__all __attribute__((__unused__));
SK_INLINE void *sk__object_of_others(void)
{
    __SIZE_TYPE__ n = sk_nondet_size_t(), before = sk_nondet_bool() ? 16 : 0;
    struct sk__kept *kept = (struct sk__kept *)__builtin_malloc(sizeof(struct sk__kept));
    char *p;
    sk_assume(n != 0 && n < (__SIZE_TYPE__)1 << (sizeof(n) > 4 ? 31 : 17));
    p = (char *)__builtin_malloc(n + before);
    sk_assume(kept != 0 && p != 0);
    kept->next = sk__all;
    kept->object = p;
    sk__all = kept;
    return p + before;
}

/* What is constant and somebody else's. */
extern const char sk__constant[256];

/* A pointer that a function returns that was given others: into what they lead to, to what its caller has never seen, or to nothing. It leads
 * to no variable, for no contract stands for a function that returns a pointer and uses variables. */
SK_INLINE void *sk__returned(const volatile void *const *given, unsigned count)
{
    unsigned which = sk_nondet_uint(), i;
    __SIZE_TYPE__ at = sk_nondet_size_t();
    const char *p;
    if (which == 0)
        return sk__object_of_others();
    if (which == 1) {
        sk_assume(at < sizeof(sk__constant));
        return (void *)(sk__constant + at);
    }
    for (i = 0; i < count; i++)
        if (which == i + 2) {
            sk_assume(given[i] != 0 && sk_is_alloc((const void *)given[i]) && at <= sk_object_size((const void *)given[i]));
            return (void *)((const char *)sk__object(given[i]) + at);
        }
    p = (const char *)sk_nondet_pointer();
    for (i = 0; i < count; i++)
        if (given[i] != 0) {
            const char *start = (const char *)sk__object(given[i]);
            sk_assume((__UINTPTR_TYPE__)p - (__UINTPTR_TYPE__)start > sk_object_size((const void *)given[i]));
        }
    return (void *)p;
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
