// Vectors, complex numbers, atomics.
#include <stdio.h>
#include <complex.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef _Bool m8 __attribute__((ext_vector_type(8)));

static v4 sum(v4 a, v4 b) { return a + b; }
static v4 global = {1, 2, 3, 4};

int main(void) {
    volatile int k = 2;
    v4 a = {1, -2, 3, 4}, b = sum(a, global) * 3, c = a << 2, d = b / (v4){1, 2, 3, 4};
    v4 m = a > b; b[k] = 77; int e = a[k]; c = __builtin_shufflevector(a, b, 0, 5, 2, 7);
    printf("%d %d %d %d | %d %d | %d %d %d %d | %d\n", b[0], b[1], b[2], b[3], d[1], d[3], m[0], m[1], c[1], c[3], e);
    f4 f = {1.5f, 2, 3, 4}; f = f * f - 1; f4 g = __builtin_convertvector(a, f4); printf("%g %g %g\n", (double)f[0], (double)f[3], (double)g[1]);
    b16 bytes = (b16)a; printf("%d %d\n", bytes[0], bytes[4]);
    v4 chosen = (a & (a > 0)) | (-a & (a <= 0)); printf("%d %d\n", chosen[1], __builtin_reduce_add(chosen));
    double complex z = 1.0 + 2.0 * I, w = z * z - ~z; printf("%g %g %d\n", __real__ w, __imag__ w, z == w);
    float complex q = z; q += 1; printf("%g %g\n", (double)__real__ q, (double)__imag__ q);
    _Atomic int atomic = 5; atomic++; atomic += 10; _Atomic unsigned char tiny = 250; tiny += 10; printf("%d %d\n", atomic, tiny);
    int counter = 16, old = __atomic_fetch_add(&counter, 3, __ATOMIC_SEQ_CST), want = 19;
    _Bool swapped = __atomic_compare_exchange_n(&counter, &want, 100, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d\n", counter, old, swapped, want); want = 1;
    swapped = __sync_bool_compare_and_swap(&counter, 5, 6); printf("%d %d\n", swapped, __sync_fetch_and_or(&counter, 3));
    printf("%d\n", __atomic_exchange_n(&counter, -1, __ATOMIC_RELAXED)); __atomic_fetch_max(&counter, 9, __ATOMIC_RELAXED); __atomic_fetch_nand(&counter, 3, __ATOMIC_RELAXED); printf("%d\n", counter);
    long long wide = 1; __atomic_store_n(&wide, 1ll << 40, __ATOMIC_SEQ_CST); printf("%lld\n", __atomic_load_n(&wide, __ATOMIC_SEQ_CST)); __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
