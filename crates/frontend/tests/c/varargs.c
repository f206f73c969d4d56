// Arguments of a variable number, of every class that the calling convention has.
#include <stdarg.h>
#include <stdio.h>

struct small { int a; char b; };
struct pair { long a; double b; };
struct floats { float x, y, z; };
struct big { int a[9]; char c; };
union u { double d; int i; };

static long sum(const char *kinds, ...) {
    va_list ap, again;
    long total = 0;
    va_start(ap, kinds);
    va_copy(again, ap);
    for (int round = 0; round < 2; round++) {
        va_list *list = round ? &again : &ap;
        for (const char *k = kinds; *k; k++) {
            switch (*k) {
            case 'i': total += va_arg(*list, int); break;
            case 'u': total += va_arg(*list, unsigned); break;
            case 'l': total += va_arg(*list, long); break;
            case 'L': total += va_arg(*list, long long); break;
            case 'd': total += (long)va_arg(*list, double); break;
            case 'D': total += (long)va_arg(*list, long double); break;
            case 's': { struct small s = va_arg(*list, struct small); total += s.a + s.b; break; }
            case 'p': { struct pair s = va_arg(*list, struct pair); total += s.a + (long)s.b; break; }
            case 'f': { struct floats s = va_arg(*list, struct floats); total += (long)(s.x + s.y + s.z); break; }
            case 'b': { struct big s = va_arg(*list, struct big); total += s.a[0] + s.a[8] + s.c; break; }
            case 'n': { union u v = va_arg(*list, union u); total += (long)v.d; break; }
            case 'c': total += *va_arg(*list, char *); break;
            }
        }
    }
    va_end(ap);
    va_end(again);
    return total;
}

static long through(const char *kinds, va_list ap) {
    long total = 0;
    for (; *kinds; kinds++)
        total = total * 10 + (*kinds == 'd' ? (long)va_arg(ap, double) : va_arg(ap, int));
    return total;
}

static long forward(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    long result = through(kinds, ap);
    va_end(ap);
    return result;
}

static int none(int n, ...) { return n; }

int main(void) {
    struct small s = {3, 4};
    struct pair p = {5, 6.5};
    struct floats f = {1, 2, 3};
    struct big b = {{7, 0, 0, 0, 0, 0, 0, 0, 8}, 9};
    union u v = {2.5};
    char c = 'x';
    printf("%ld\n", sum("iulLdD", 1, 2u, 3l, 4ll, 5.5, 6.5L));
    printf("%ld\n", sum("spfbn", s, p, f, b, v));
    printf("%ld\n", sum("isDpdbcfLi", 1, s, 2.0L, p, 3.0, b, &c, f, 1ll << 33, -1));
    printf("%ld\n", sum("iiiiiiiidddddddddd", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    printf("%ld\n", forward("idid", 1, 2.0, 3, 4.0));
    printf("%d\n", none(3));
    printf("%d %s %c %5.2f %lx %lld %%\n", -3, "text", 'c', 3.14159, 0xabcdl, -(1ll << 40));
    return 0;
}
