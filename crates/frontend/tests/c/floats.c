// Floating-point arithmetic, bit by bit.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void bits(const char *name, const void *value, int size) {
    unsigned char bytes[16];
    memcpy(bytes, value, size);
    printf("%s ", name);
    for (int i = size - 1; i >= 0; i--)
        printf("%02x", bytes[i]);
    printf("\n");
}
#define F(x) do { float v_ = (x); bits(#x, &v_, 4); } while (0)
#define D(x) do { double v_ = (x); bits(#x, &v_, 8); } while (0)
#define L(x) do { long double v_ = (x); bits(#x, &v_, 10); } while (0)

static long double table[] = {1.0L, 1.1L, -3.25L, 1e4000L, 0x1.23456789abcdefp-10L, 1.0L / 3};

int main(void) {
    volatile float f = 1.1f, fz = 0;
    volatile double d = 2.7, dz = 0, big = 1e300, tiny = 5e-324;
    volatile long double l = 3.3L;
    F(f + 2.2f); F(f * f); F(f / 3); F(-f); F(f - 1e10f);
    D(d + f); D(d * d - d / 3); D(big * big); D(-big * big); D(tiny / 2); D(d - d);
    D(f); F(d); D(l); F(l); L(d); L(f); L(l * l / 7); L(l + 1e-18L);
    for (int i = 0; i < 6; i++)
        L(table[i]);
    D(__builtin_inf()); D(-__builtin_inf() * 2); F(-0.0f); D(dz * -1);
    printf("%d %d %d %d\n", d < l, d == d, fz == -fz, dz / dz == dz / dz);
    printf("%d %d\n", __builtin_isnan(dz / dz) != 0, __builtin_isinf(1 / dz) != 0);
    printf("%d %d %d %d\n", __builtin_isnormal(tiny), __builtin_isnormal(d), __builtin_signbit(-d) != 0, __builtin_isfinite(big) != 0);
    printf("%d %u %ld %llu\n", (int)-d, (unsigned)d, (long)(d * 1e8), (unsigned long long)(d * 1e18));
    printf("%d %d\n", (signed char)-d, (unsigned char)(d * 50));
    volatile int i = -7; volatile unsigned u = 4000000000u; volatile long long ll = -(1ll << 62) - 1; volatile unsigned long long ull = ~0ull;
    F(i); D(i); L(i); F(u); D(u); F(ll); D(ll); L(ll); F(ull); D(ull); L(ull);
    D(__builtin_fabs(-d)); D(__builtin_copysign(d, -1.0)); D(__builtin_floor(-d)); D(__builtin_ceil(-d));
    D(__builtin_trunc(-d)); D(__builtin_rint(2.5)); D(__builtin_round(2.5)); D(__builtin_sqrt(d));
    D(__builtin_fmin(d, dz / dz)); D(__builtin_fmax(d, 9));
    volatile _Bool t = d; printf("%d\n", t);
    d++; --d; f += 1; D(d); F(f);
    return 0;
}
