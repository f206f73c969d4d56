// Integers of every width: conversions, shifts, bit-fields, intrinsics.
#include <stdio.h>

struct fields { signed a : 3; unsigned b : 7; unsigned long long c : 40; signed d : 17; _Bool e : 1; unsigned : 0; unsigned char g : 5; };
union pun { unsigned u; unsigned char b[4]; struct { unsigned short lo, hi; } h; float f; };
enum e { A = -2, B, C = 1000000 };
typedef unsigned u3 __attribute__((aligned(4)));

static unsigned long long mix(unsigned long long h, unsigned long long x) { return (h ^ x) * 0x100000001b3ull; }
#define P(x) printf("%s = %lld\n", #x, (long long)(x))

int main(void) {
    volatile signed char sc = -5; volatile unsigned char uc = 250; volatile short s = -30000; volatile unsigned short us = 60000;
    volatile int i = -123456789; volatile unsigned u = 4000000000u; volatile long long ll = -(1ll << 50); volatile unsigned long long ull = 0xfedcba9876543210ull;
    P(sc + uc); P(sc * s); P(us << 3); P(i >> 5); P(u >> 5); P(ll >> 7); P(ull >> 60); P((signed char)us); P((short)u); P(~uc); P(-u); P(!i);
    P(i / 7); P(i % 7); P(u / 7); P(u % 7); P(ll / 1000003); P(ll % 1000003); P((unsigned char)(uc + 10)); P(sc < uc); P((unsigned)sc < uc); P(-1 < 0u);
    struct fields f = {-3, 100, 0xffffffffffull, -65536, 1, 31};
    f.a++; f.b += 30; f.c++; f.d -= 1; f.g ^= 5;
    P(f.a); P(f.b); P(f.c); P(f.d); P(f.e); P(f.g); P(sizeof f);
    f.e = 2; P(f.e); f.a = 7; P(f.a);
    union pun p; p.f = 1.5f; P(p.u); P(p.b[3]); P(p.h.hi);
    enum e e = B; P(e + C); P(sizeof(enum e));
    P(__builtin_popcount(u)); P(__builtin_clz(u)); P(__builtin_ctz(u)); P(__builtin_popcountll(ull)); P(__builtin_clzll(ull)); P(__builtin_ffs(i)); P(__builtin_parity(u));
    P(__builtin_bswap16(us)); P(__builtin_bswap32(u)); P(__builtin_bswap64(ull)); P(__builtin_bitreverse32(u)); P(__builtin_bitreverse8(uc));
    P(__builtin_rotateleft32(u, 7)); P(__builtin_rotateright64(ull, 13)); P(__builtin_rotateleft8(uc, 3));
    int r; P(__builtin_add_overflow(i, i, &r)); P(r); P(__builtin_mul_overflow(i, 100, &r)); P(r); unsigned char small; P(__builtin_sub_overflow(5, 10, &small)); P(small);
    long long lr; P(__builtin_smulll_overflow(ll, 3, &lr)); P(lr); unsigned long long ur; P(__builtin_uaddll_overflow(ull, ull, &ur)); P(ur);
    P(__builtin_elementwise_add_sat(sc, (signed char)-128)); P(__builtin_elementwise_sub_sat(uc, (unsigned char)255)); P(__builtin_elementwise_max(i, 3)); P(__builtin_elementwise_abs(i));
    _BitInt(37) w = 12345678901; w = w * 3 + 7; P((long long)w); unsigned _BitInt(5) n = 31; n++; P((int)n);
#ifdef __SIZEOF_INT128__
    __int128 big = (__int128)ll * ll * 3 - 1; P((long long)(big >> 64)); P((long long)big); P((long long)(big / 1000000007)); P((long long)(big % 1000000007)); unsigned __int128 ub = -1; P((long long)(ub >> 100));
    static __int128 wide = ((__int128)0x0123456789abcdefll << 64) | 0xfedcba9876543210ull; P((long long)(wide >> 64)); P((long long)wide);
#endif
    unsigned long long h = 0xcbf29ce484222325ull;
    for (int k = 0; k < 1000; k++) h = mix(h, k * k ^ (k << 3));
    P(h);
    int x = 5; x += x++ * 2; P(x); x <<= 2; x |= 1; x ^= 0xff; x %= 17; P(x);
    P(i > 0 ? 1 : i < -5 ? 2 : 3); P((i, 7)); P(i && u || 0);
    return 0;
}
