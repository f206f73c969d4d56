/* oracle.c: asks the real library about random inputs and prints a program that claims its answers. Selkie's
 * interpreter then executes that program with the models. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RUNS 60

static uint64_t state = 88172645463325252;

static unsigned below(unsigned bound) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state * 0x2545f4914f6cdd1d) >> 33) % bound;
}

static char texts[4][64];

/* A random text, and the same as a literal. */
static const char *literal(int which, const char *const *pieces, unsigned count, unsigned most) {
    static char literals[4][300];
    char *text = texts[which], *out = literals[which];
    text[0] = 0;
    for (unsigned n = below(most + 1); n > 0; n--)
        strcat(text, pieces[below(count)]);
    *out++ = '"';
    for (char *p = text; *p; p++)
        out += sprintf(out, "\\%03o", (unsigned char)*p);
    strcpy(out, "\"");
    return literals[which];
}

static const char *const words[] = {"a", "b", "ab", "A", "B", ",", " ", "\200"};
static const char *const digits[] = {"0", "1", "9", "x", "0x", "-", "+", " ", "f", "7", "2147483647", "99999999999999999999"};
static const char *const reals[] = {"1", "0", ".", "5", "-", "3", "25", " "};

#define WORD(which) literal(which, words, 8, 6)

static int sign(int x) { return (x > 0) - (x < 0); }

/* The place of a result in a text, or -1. */
static long place(const void *result, const void *start) {
    return result ? (long)((const char *)result - (const char *)start) : -1;
}

static void strings(void) {
    const char *s = WORD(0), *t = WORD(1);
    const char *a = texts[0], *b = texts[1];
    unsigned n = below(8);
    printf("    { const char *s = %s, *t = %s;\n", s, t);
    printf("    CLAIM(strlen(s) == %zu && strnlen(s, %u) == %zu);\n", strlen(a), n, strnlen(a, n));
    printf("    CLAIM(sign(strcmp(s, t)) == %d && sign(strncmp(s, t, %u)) == %d);\n", sign(strcmp(a, b)), n, sign(strncmp(a, b, n)));
    printf("    CLAIM(sign(strcasecmp(s, t)) == %d);\n", sign(strcasecmp(a, b)));
    printf("    CLAIM(place(strstr(s, t), s) == %ld && place(strchr(s, 'a'), s) == %ld && place(strrchr(s, 'b'), s) == %ld);\n",
           place(strstr(a, b), a), place(strchr(a, 'a'), a), place(strrchr(a, 'b'), a));
    printf("    CLAIM(strspn(s, t) == %zu && strcspn(s, t) == %zu && place(strpbrk(s, t), s) == %ld);\n", strspn(a, b),
           strcspn(a, b), place(strpbrk(a, b), a));
    printf("    CLAIM(place(memchr(s, ',', %zu), s) == %ld);\n", strlen(a), place(memchr(a, ',', strlen(a)), a));
    char copy[64];
    strcpy(copy, a);
    strncat(copy, b, n);
    printf("    char copy[64]; strcpy(copy, s); strncat(copy, t, %u); CLAIM(strlen(copy) == %zu);\n", n, strlen(copy));
    char *token = strtok(copy, ", ");
    printf("    CLAIM(place(strtok(copy, \", \"), copy) == %ld); }\n", place(token, copy));
}

static void numbers(void) {
    static const int bases[] = {0, 10, 16, 8, 36};
    const char *s = literal(0, digits, 12, 4);
    int base = bases[below(5)];
    char *end;
    printf("    { const char *s = %s; char *end; errno = 0;\n", s);
    errno = 0;
    long long value = strtol(texts[0], &end, base);
    printf("    CLAIM(strtol(s, &end, %d) == (long)%lldULL && end == s + %ld && errno == %d);\n", base, value, place(end, texts[0]), errno);
    unsigned long long large = strtoull(texts[0], &end, base);
    printf("    CLAIM(strtoull(s, &end, %d) == %lluULL && end == s + %ld);\n", base, large, place(end, texts[0]));
    printf("    CLAIM(atoi(s) == (int)%uU); }\n", (unsigned)atoi(texts[0]));
    s = literal(0, reals, 8, 4);
    double real = strtod(texts[0], &end);
    printf("    { const char *s = %s; char *end; double d = strtod(s, &end);\n", s);
    printf("    CLAIM(d == %a && end == s + %ld && sqrt(fabs(d)) == %a && floor(d) == %a && fmod(d, 0.3) == %a); }\n", real,
           place(end, texts[0]), sqrt(fabs(real)), floor(real), fmod(real, 0.3));
}

static void formats(void) {
    static const char *const integers[] = {"%d", "%5d", "%-6d|", "%05d", "%x", "%#X", "%o", "%+d", "%.3d", "%u", "%hhd", "%c", "% d"};
    const char *format = integers[below(13)];
    int value = below(2) ? (int)state : (int)below(200) - 100;
    char text[100];
    if (!strcmp(format, "%c"))
        value = 'a' + (int)below(20);
    int count = sprintf(text, format, value);
    printf("    { char text[100]; CLAIM(sprintf(text, \"%s\", (int)%uU) == %d && !strcmp(text, \"%s\")); }\n", format, (unsigned)value,
           count, text);
    const char *s = literal(0, words, 4, 4);
    unsigned limit = 1 + below(12), width = below(8);
    count = snprintf(text, limit, "%*s|%.2s", (int)width, texts[0], texts[0]);
    printf("    { char text[100]; CLAIM(snprintf(text, %u, \"%%*s|%%.2s\", %u, %s, %s) == %d && !strcmp(text, \"%s\")); }\n", limit, width, s, s,
           count, text);
    s = literal(0, digits, 12, 5);
    int x = 7;
    char word[64] = "-";
    count = sscanf(texts[0], "%i %63s", &x, word);
    printf("    { int x = 7; char word[64] = \"-\"; CLAIM(sscanf(%s, \"%%i %%63s\", &x, word) == %d && x == (int)%uU && !strcmp(word, \"%s\")); }\n",
           s, count, (unsigned)x, word);
}

int main(void) {
    printf("#define _GNU_SOURCE\n#include <errno.h>\n#include <math.h>\n#include <selkie.h>\n#include <stdio.h>\n"
           "#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n"
           "#define CLAIM(condition) sk_assert(condition)\n"
           "static int sign(int x) { return (x > 0) - (x < 0); }\n"
           "static long place(const void *p, const void *start) { return p ? (long)((const char *)p - (const char *)start) : -1; }\n");
    for (int i = 0; i < RUNS; i++) {
        printf("static void run_%d(void) {\n", i);
        strings();
        numbers();
        formats();
        printf("}\n");
    }
    printf("int main(void) {\n");
    for (int i = 0; i < RUNS; i++)
        printf("    run_%d();\n", i);
    printf("    return 0;\n}\n");
}
