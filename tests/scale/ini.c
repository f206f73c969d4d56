// Reads an INI file of N symbolic bytes: sections, names, values, comments.
//
// Every value that is reported lies in the text, and has a name that is not empty.
#include <selkie.h>
#include <stddef.h>
#include <string.h>

#ifndef N
#define N 4
#endif
#define NAME 3

static char *skip(char *s) {
    while (*s == ' ' || *s == '\t') s++;
    return s;
}

static void strip(char *begin) {
    char *end = begin + strlen(begin);
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) *--end = 0;
}

static char *find(char *s, char c) {
    while (*s && *s != c && *s != ';') s++;
    return s;
}

static void copy(char *to, const char *from) {
    int i;
    for (i = 0; i < NAME - 1 && from[i]; i++) to[i] = from[i];
#ifdef BUG
    to[i + (from[i] != 0)] = 0;
#else
    to[i] = 0;
#endif
}

static char text[N + 1];
static int reported;

static void report(const char *section, const char *name, const char *value) {
    sk_assert(strlen(section) < NAME);
    sk_assert(*name != 0);
    sk_assert(text <= value && value <= text + N);
    reported++;
}

static int line(char *start, char *section) {
    start = skip(start);
    strip(start);
    if (*start == ';' || *start == '#' || *start == 0) return 0;
    if (*start == '[') {
        char *end = find(start + 1, ']');
        if (*end != ']') return -1;
        *end = 0;
        copy(section, start + 1);
        return 0;
    }
    char *end = find(start, '=');
    if (*end != '=') return -1;
    *end = 0;
    strip(start);
    char *value = skip(end + 1);
    char *comment = find(value, 0);
    *comment = 0;
    strip(value);
    if (*start == 0) return -1;
    report(section, start, value);
    return 0;
}

int main(void) {
    char section[NAME] = "";
    for (int i = 0; i < N; i++) text[i] = sk_nondet_char();
    text[N] = 0;
    int errors = 0;
    for (char *s = text; *s;) {
        char *end = s;
        while (*end && *end != '\n') end++;
        int last = *end == 0;
        *end = 0;
        if (line(s, section) < 0) errors++;
        if (last) break;
        s = end + 1;
    }
    sk_assert(errors + reported <= N);
    return 0;
}
