// Control flow: switches, jumps, computed jumps, recursion, function pointers, constructors.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int order;
__attribute__((constructor)) static void before(void) { order = order * 10 + 1; }
__attribute__((constructor(101))) static void before_that(void) { order = order * 10 + 2; }
__attribute__((destructor)) static void after(void) { printf("after %d\n", order); }

static int classify(long x) {
    switch (x) {
    case -1: return 1;
    case 0 ... 9: x++;
    case 100: return (int)x;
    case 1l << 20: break;
    default: return -2;
    }
    return 5;
}

static int interpret(const char *code) {
    static const void *const ops[] = {&&plus, &&minus, &&twice, &&stop};
    static const int distance[] = {&&plus - &&plus, &&minus - &&plus, &&twice - &&plus, &&stop - &&plus};
    int value = 1;
    goto *ops[(int)*code++];
plus: value += 3; goto *ops[(int)*code++];
minus: value -= 1; goto *(&&plus + distance[(int)*code++]);
twice: value *= 2; goto *ops[(int)*code++];
stop: return value;
}

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int even(unsigned n);
static int odd(unsigned n) { return n ? even(n - 1) : 0; }
static int even(unsigned n) { return n ? odd(n - 1) : 1; }

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*choose(char c))(int, int) { return c == '+' ? add : sub; }
typedef int (*binary)(int, int);
struct op { const char *name; binary f; };
static struct op table[] = {{"add", add}, {"sub", sub}};

int old_style();
int old_style(a, b) int a; char b; { return a * b; }
__attribute__((weak)) int weak_one(void) { return 11; }
extern int undefined_one(void) __attribute__((weak));
int real(int x) { return x + 1; }
extern int other_name(int) __attribute__((alias("real")));
static __thread int local_to_thread = 4;
int tentative; int tentative;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
    printf("%d %d %d %d %d %d\n", classify(-1), classify(4), classify(100), classify(1l << 20), classify(7777), order);
    printf("%d\n", interpret((char[]){0, 1, 2, 2, 0, 3}));
    printf("%d %d %d\n", ackermann(2, 3), even(10), odd(7));
    printf("%d %d %d\n", choose('+')(3, 4), choose('-')(3, 4), table[1].f(9, 2) + table[0].f(1, 1));
    printf("%d %d %d %d\n", old_style(6, 7), weak_one(), undefined_one != 0, other_name(4));
    local_to_thread += tentative; printf("%d %d %s\n", local_to_thread, argc, argv[argc] ? "more" : "end");
    int i = 0, s = 0;
    do { if (i == 3) continue; if (i == 8) break; s += i; } while (i++ < 100);
    for (int a = 0, b = 10; a < b; a += 2, b--) s += a * b;
    while (s > 100) s -= 7;
    printf("%d\n", s);
again:
    { int scoped = s; if (scoped++ < 110) { s = scoped; goto again; } printf("%d\n", scoped); }
    int n = 4; int vla[n][n + 1]; for (int a = 0; a < n; a++) for (int b = 0; b <= n; b++) vla[a][b] = a * b; printf("%d %d\n", vla[3][4], (int)sizeof vla);
    char *on_stack = __builtin_alloca(10); memset(on_stack, 'q', 9); on_stack[9] = 0; printf("%s\n", on_stack);
    int numbers[] = {5, 3, 9, 1, 7}; qsort(numbers, 5, sizeof(int), compare); for (int a = 0; a < 5; a++) printf("%d ", numbers[a]); printf("\n");
    printf("%d %d\n", ({ int t = 3; t * t; }), argc ?: 7);
    exit(3);
}
