/* selkie/model.h: what models of library functions are made of.
 *
 * A model is C that the verifier compiles like any other source, links when the program calls
 * the function without defining it, and names in the verdict's ledger. What a model reads and
 * writes through pointers is checked where it stands (check `deref`), so a loop over bytes needs no
 * more. The primitives below are for the rest: ranges of unknown length, allocation, free choice,
 * and checks that no access would show. docs/how-to/model-a-function.md has an example.
 *
 * All other undefined behaviour is not checked inside models: arithmetic wraps. A model says what it
 * forbids with `__selkie_check`. */
#ifndef SELKIE_MODEL_H
#define SELKIE_MODEL_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ssize_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef __builtin_va_list va_list;

#define NULL ((void *)0)
#define EOF (-1)
#define va_start(ap, last) __builtin_va_start(ap, last)
#define va_end(ap) __builtin_va_end(ap)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(ap, type) __builtin_va_arg(ap, type)

/* Before each function and object that a model file provides: a definition in the program wins. */
#define MODEL __attribute__((weak))

/* ---- Allocation ------------------------------------------------------------------------- */

/* A new heap object of `n` bytes with any contents (or zeros). Never null: a model of a function
 * that can fail asks `__selkie_malloc_fails` first, which is 0 unless the user wants failures. */
void *__selkie_alloc(size_t n);
void *__selkie_alloc_zeroed(size_t n);
/* `align` is a constant power of two. */
void *__selkie_alloc_aligned(size_t n, size_t align);
_Bool __selkie_malloc_fails(void);

/* Ends the life of a heap object; an obligation `free` stands before it. */
void __selkie_free(void *p);

/* ---- Ranges of bytes, without checks ---------------------------------------------------- */

/* Copies as memmove does, provenance included. */
void __selkie_memcpy(void *to, const void *from, size_t n);
void __selkie_memset(void *to, int byte, size_t n);
int __selkie_memcmp(const void *left, const void *right, size_t n);
/* Any contents. */
void __selkie_havoc(void *p, size_t n);

/* ---- Questions -------------------------------------------------------------------------- */

_Bool __selkie_is_deref_read(const void *p, size_t n);
_Bool __selkie_is_deref_write(const void *p, size_t n);
_Bool __selkie_is_alive(const void *p);
_Bool __selkie_is_freeable(const void *p);
_Bool __selkie_is_disjoint(const void *left, const void *right, size_t n);
size_t __selkie_object_size(const void *p);
size_t __selkie_object_offset(const void *p);

/* ---- Obligations and the end of executions ---------------------------------------------- */

/* An obligation of the named check. Both strings are literals. */
void __selkie_check(_Bool condition, const char *check, const char *text);
/* What follows is not modelled: reached, the verdict is unknown. */
void __selkie_unsupported(const char *what);
/* A sentence for the ledger of every verdict that uses this model. */
void __selkie_note(const char *text);
/* Runs the functions that are marked as destructors. */
void __selkie_run_destructors(void);
/* Ends the execution as `_exit` does (leaks are judged), or as `abort` does. */
void __selkie_halt_exit(int status) __attribute__((noreturn));
void __selkie_halt_abort(void) __attribute__((noreturn));
/* Executions in which the condition does not hold do not count. */
void sk_assume(_Bool condition);

/* ---- Free choice (of kind extern) ------------------------------------------------------- */

_Bool __selkie_nondet_extern_bool(void);
char __selkie_nondet_extern_char(void);
unsigned char __selkie_nondet_extern_uchar(void);
short __selkie_nondet_extern_short(void);
unsigned short __selkie_nondet_extern_ushort(void);
int __selkie_nondet_extern_int(void);
unsigned __selkie_nondet_extern_uint(void);
long __selkie_nondet_extern_long(void);
unsigned long __selkie_nondet_extern_ulong(void);
long long __selkie_nondet_extern_longlong(void);
unsigned long long __selkie_nondet_extern_ulonglong(void);
size_t __selkie_nondet_extern_size_t(void);
float __selkie_nondet_extern_float(void);
double __selkie_nondet_extern_double(void);
long double __selkie_nondet_extern_longdouble(void);

/* What a function yields of which only a range is known here, although everybody's library agrees, or nearly so. A proof
 * holds for every value in the range; a violation that rests on one is not reported as such. */
_Bool __selkie_nondet_approx_bool(void);
char __selkie_nondet_approx_char(void);
int __selkie_nondet_approx_int(void);
unsigned __selkie_nondet_approx_uint(void);
long __selkie_nondet_approx_long(void);
long long __selkie_nondet_approx_longlong(void);
float __selkie_nondet_approx_float(void);
double __selkie_nondet_approx_double(void);
long double __selkie_nondet_approx_longdouble(void);

#define rough_bool __selkie_nondet_approx_bool
#define rough_char __selkie_nondet_approx_char
#define rough_int __selkie_nondet_approx_int
#define rough_uint __selkie_nondet_approx_uint
#define rough_long __selkie_nondet_approx_long
#define rough_longlong __selkie_nondet_approx_longlong

#define any_bool __selkie_nondet_extern_bool
#define any_char __selkie_nondet_extern_char
#define any_uchar __selkie_nondet_extern_uchar
#define any_short __selkie_nondet_extern_short
#define any_ushort __selkie_nondet_extern_ushort
#define any_int __selkie_nondet_extern_int
#define any_uint __selkie_nondet_extern_uint
#define any_long __selkie_nondet_extern_long
#define any_ulong __selkie_nondet_extern_ulong
#define any_longlong __selkie_nondet_extern_longlong
#define any_ulonglong __selkie_nondet_extern_ulonglong
#define any_size __selkie_nondet_extern_size_t
#define any_float __selkie_nondet_extern_float
#define any_double __selkie_nondet_extern_double
#define any_longdouble __selkie_nondet_extern_longdouble

/* ---- Shorthands ------------------------------------------------------------------------- */

/* Obligations that `n` bytes at `p` may be read, or written. */
#define check_read(p, n, text) __selkie_check(__selkie_is_deref_read((p), (n)), "deref", text)
#define check_write(p, n, text) __selkie_check(__selkie_is_deref_write((p), (n)), "deref", text)

/* Any int in a range, both ends included. */
static inline __attribute__((unused)) int any_int_in(int low, int high) {
    int value = any_int();
    sk_assume(value >= low && value <= high);
    return value;
}

/* The same, known only roughly. */
static inline __attribute__((unused)) int rough_int_in(int low, int high) {
    int value = rough_int();
    sk_assume(value >= low && value <= high);
    return value;
}

/* Bytes that are known only roughly. */
static inline __attribute__((unused)) void rough_bytes(void *to, size_t n) {
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = rough_char();
}

/* errno, and the numbers that models store there. */
int *__errno_location(void);
#define errno (*__errno_location())
#define ENOENT 2
#define EINTR 4
#define EBADF 9
#define ENOMEM 12
#define EINVAL 22
#define EDOM 33
#define ERANGE 34

#endif
