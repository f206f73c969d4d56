// Structures by value, of every class; unions, arrays, initialisers with addresses.
#include <stdio.h>
#include <string.h>
#include <stddef.h>

struct c1 { char c; };
struct s3 { char c[3]; };
struct i2 { int a, b; };
struct f2 { float a, b; };
struct d1i1 { double d; int i; };
struct ld { long double l; char c; };
struct big { int a[10]; struct i2 p; };
struct nested { struct { struct i2 x; char pad; } in[2]; short tail; };
struct empty {};
struct packed { char c; int i; short s; } __attribute__((packed));
struct flex { int n; char data[]; };
union any { char c[9]; long l; double d; };
struct list { int value; struct list *next; };

static struct c1 fc1(struct c1 x) { x.c++; return x; }
static struct s3 fs3(struct s3 x) { x.c[1] += 2; return x; }
static struct i2 fi2(struct i2 x) { struct i2 r = {x.b, x.a}; return r; }
static struct f2 ff2(struct f2 x) { x.a *= 2; return x; }
static struct d1i1 fd(struct d1i1 x, int n) { x.i += n; x.d /= 2; return x; }
static struct ld fl(struct ld x) { x.l += x.c; return x; }
static struct big fb(struct big x, struct big y) { x.a[3] += y.a[4]; x.p = fi2(y.p); return x; }
static union any fu(union any u) { u.c[0] = 'z'; return u; }
static struct nested fn(struct nested n) { n.in[1].x.b = n.tail; return n; }

static struct list third = {3, 0}, second = {2, &third}, first = {1, &second};
static int array[3][4] = {{1, 2}, {[2] = 5}, {6, 7, 8, 9}};
static int *middle = &array[1][2], *past = &array[3][0];
static const char *words[] = {"one", "two", "three" + 2};
static struct nested preset = {{{{1, 2}, 'a'}, {{3, 4}, 'b'}}, 5};
static size_t offset = offsetof(struct nested, tail);
static int (*handlers[])(const char *, ...) = {printf, 0};
static long distance = (char *)&array[2][0] - (char *)&array[0][0];
static union any preset_union = {.d = 1.5};
static double doubles[] = {1.5, -2.25, 1e100};
static struct { char c; double d; _Bool b; } mixed[2] = {{'x', 2.5, 1}, {'y', 3.5, 0}};

int main(void) {
    struct c1 a = fc1((struct c1){'a'}); struct s3 b = fs3((struct s3){"ab"}); struct i2 c = fi2((struct i2){1, 2});
    struct f2 d = ff2((struct f2){1.5f, 2}); struct d1i1 e = fd((struct d1i1){3, 4}, 5); struct ld f = fl((struct ld){1.25L, 2});
    struct big x = {{0, 1, 2, 3, 4}, {5, 6}}, y = x, z; z = fb(x, y); y.a[0] = 9;
    printf("%c %c%c %d %d %g %g %g %d %g\n", a.c, b.c[0], b.c[1], c.a, c.b, d.a, d.b, e.d, e.i, (double)f.l);
    printf("%d %d %d %d\n", z.a[3], z.p.a, x.p.a, y.a[0]);
    union any u = {"abcdefgh"}; u = fu(u); printf("%s\n", u.c); u.l = 77; printf("%d\n", u.c[0]);
    struct nested n = fn(preset); printf("%d %d %d\n", n.in[1].x.b, preset.in[1].x.b, (int)sizeof n);
    for (struct list *p = &first; p; p = p->next) printf("%d ", p->value);
    printf("%d %d %d %s %s %d %ld\n", *middle, past[-1], array[1][2], words[1], words[2], (int)offset, distance);
    handlers[0]("%g %d\n", preset_union.d, (int)sizeof(struct empty));
    struct packed k = {1, 0x12345678, 9}; struct packed *kp = &k; kp->i++; printf("%x %d %d\n", kp->i, kp->s, (int)sizeof k);
    char buffer[sizeof(struct flex) + 8]; struct flex *flex = (struct flex *)buffer; flex->n = 3; strcpy(flex->data, "xyz"); printf("%s %d\n", flex->data, flex->n);
    struct i2 arr[3] = {{1, 2}, {3, 4}, {5, 6}}; arr[0] = arr[2]; arr[1] = (struct i2){arr[0].b, arr[0].a}; printf("%d %d %d\n", arr[0].a, arr[1].a, arr[1].b);
    printf("%g %g %c %g %d\n", doubles[1], doubles[2], mixed[1].c, mixed[1].d, mixed[0].b);
    int local[5] = {1, 2}; struct big *bp = &x, copy = *bp; bp->a[9] = 4; printf("%d %d %d\n", local[1] + local[4], copy.a[9], x.a[9]);
    struct i2 chosen = c.a > 1 ? c : arr[0]; printf("%d\n", chosen.b); printf("%d\n", fi2(fi2(arr[1])).a);
    return 0;
}
