/* Each block is a program of its own: those that hold under every choice, and those that violate a check
 * under some. The names are those of the models that the block is about. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <selkie.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/// holds: strlen strnlen
{
    char s[] = "abc";
    sk_assert(strlen(s) == 3 && strlen(s + 3) == 0 && strnlen(s, 2) == 2 && strnlen(s, 9) == 3);
    char open[3] = {'a', 'b', 'c'};
    sk_assert(strnlen(open, 3) == 3);
}
/// violates deref: strlen
{
    char open[3] = {'a', 'b', 'c'};
    strlen(open);
}
/// violates deref: strlen
{
    char *none = NULL;
    strlen(none);
}
/// violates deref: strnlen
{
    char open[3] = {'a', 'b', 'c'};
    strnlen(open, 4);
}
/// violates deref: strlen
{
    char *s = malloc(4);
    memcpy(s, "abc", 4);
    free(s);
    strlen(s);
}
/// holds: strcpy stpcpy strncpy stpncpy
{
    char to[4] = "xyz";
    sk_assert(strcpy(to, "ab") == to && to[1] == 'b' && to[2] == 0 && to[3] == 0);
    sk_assert(stpcpy(to, "abc") == to + 3);
    sk_assert(strncpy(to, "q", 3) == to && to[0] == 'q' && to[1] == 0 && to[2] == 0 && to[3] == 0);
    sk_assert(stpncpy(to, "abcd", 4) == to + 4 && to[3] == 'd');
}
/// violates deref: strcpy
{
    char to[3];
    strcpy(to, "abc");
}
/// violates deref: strcpy
{
    strcpy((char *)"abc", "x");
}
/// violates overlap: strcpy
{
    char s[8] = "abc";
    strcpy(s, s);
}
/// violates deref: strncpy
{
    char to[3];
    strncpy(to, "a", 4);
}
/// violates deref: strncpy
{
    char from[2] = {'a', 'b'}, to[4];
    strncpy(to, from, 3);
}
/// holds: strcat strncat
{
    char to[6] = "ab";
    sk_assert(!strcmp(strcat(to, "cd"), "abcd") && !strcmp(strncat(to, "efg", 1), "abcde"));
}
/// violates deref: strcat
{
    char to[5] = "ab";
    strcat(to, "cde");
}
/// violates deref: strncat
{
    char to[5] = "abc";
    strncat(to, "def", 2);
}
/// holds: strcmp strncmp strcasecmp strncasecmp strcoll
{
    sk_assert(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("a", "a") == 0 && strcmp("\377", "a") > 0);
    sk_assert(strncmp("abc", "abd", 2) == 0 && strcasecmp("ABC", "abc") == 0 && strncasecmp("ABx", "aby", 2) == 0);
    sk_assert(strcoll("a", "b") < 0);
}
/// violates deref: strcmp
{
    char open[2] = {'a', 'b'};
    strcmp(open, "abc");
}
/// violates deref: strncmp
{
    char open[2] = {'a', 'b'};
    strncmp(open, "abc", 3);
}
/// holds: strchr strrchr strchrnul memchr memrchr rawmemchr index rindex
{
    const char *s = "abcb";
    sk_assert(strchr(s, 'b') == s + 1 && strrchr(s, 'b') == s + 3 && strchr(s, 'z') == NULL && strchr(s, 0) == s + 4);
    sk_assert(strchrnul(s, 'z') == s + 4 && memchr(s, 'b', 9) == s + 1 && memrchr(s, 'a', 4) == s && rawmemchr(s, 'c') == s + 2);
    sk_assert(index(s, 'c') == s + 2 && rindex(s, 'c') == s + 2);
}
/// violates deref: strchr
{
    char open[2] = {'a', 'b'};
    strchr(open, 'z');
}
/// violates deref: memchr
{
    char open[2] = {'a', 'b'};
    memchr(open, 'z', 3);
}
/// violates deref: strrchr
{
    char open[2] = {'a', 'b'};
    strrchr(open, 'a');
}
/// holds: strstr strcasestr memmem
{
    const char *s = "abcabd";
    sk_assert(strstr(s, "abd") == s + 3 && strstr(s, "") == s && !strstr(s, "x") && strcasestr(s, "CAB") == s + 2);
    sk_assert(memmem(s, 6, "bd", 2) == s + 4);
}
/// violates deref: strstr
{
    char open[3] = {'a', 'b', 'c'};
    strstr(open, "cd");
}
/// holds: strspn strcspn strpbrk strtok strtok_r strsep
{
    const char *s = "aab,c";
    sk_assert(strspn(s, "ab") == 3 && strcspn(s, ",") == 3 && strpbrk(s, ",c") == s + 3);
    char t[] = "a,,b", *rest;
    sk_assert(!strcmp(strtok(t, ","), "a") && !strcmp(strtok(NULL, ","), "b") && !strtok(NULL, ","));
    char u[] = "x y";
    sk_assert(!strcmp(strtok_r(u, " ", &rest), "x") && !strcmp(strtok_r(NULL, " ", &rest), "y"));
    char v[] = "1:2", *w = v;
    sk_assert(!strcmp(strsep(&w, ":"), "1") && !strcmp(strsep(&w, ":"), "2") && !w && !strsep(&w, ":"));
}
/// violates deref: strtok
{
    char *first = strtok(NULL, ",");
    (void)first;
}
/// violates deref: strtok
{
    char *t = (char *)"a,b";
    strtok(t, ",");
}
/// violates deref: strspn
{
    char open[2] = {'a', 'b'};
    strspn(open, "ab");
}
/// holds: strdup strndup
{
    char *p = strdup("abc"), *q = strndup("abc", 2);
    sk_assert(!strcmp(p, "abc") && !strcmp(q, "ab"));
    free(p);
    free(q);
}
/// violates leak: strdup
{
    strdup("abc");
}
/// violates free: strdup
{
    char *p = strdup("abc");
    free(p + 1);
}
/// violates deref: strdup
{
    char *p = strdup("abc");
    p[4] = 0;
}
/// holds: bzero bcopy memccpy strerror strerror_r
{
    char s[4] = "abc";
    bcopy(s, s + 1, 3);
    sk_assert(s[1] == 'a' && s[3] == 'c');
    char t[4] = "xyz";
    sk_assert(memccpy(t, "ab", 'b', 4) == t + 2 && t[2] == 'z');
    bzero(s, 4);
    sk_assert(s[3] == 0);
    sk_assert(strlen(strerror(1)) < 64);
    char small[4];
    sk_assert(strlen(strerror_r(1, small, 4)) < 64);
}
/// violates deref: bzero
{
    char s[4];
    bzero(s, 5);
}
/// violates deref: bcopy
{
    char s[4] = "abc", t[8];
    bcopy(s, t, 5);
}
/// holds: isalpha isdigit isspace toupper tolower isupper __ctype_b_loc
{
    int c = sk_nondet_uchar();
    sk_assert(!(isdigit)(c) || (c >= '0' && c <= '9'));
    sk_assert(!(isalpha)(c) || (isupper)(c) || (islower)(c));
    sk_assert(!(isalpha)(c) || (tolower)((toupper)(c)) == (tolower)(c));
    sk_assert(isspace(' ') && isxdigit('f') && !isxdigit('g') && isalnum('z'));
}
/// violates deref: isalpha
{
    int c = sk_nondet_int();
    (isalpha)(c);
}
/// violates deref: __ctype_b_loc
{
    int c = 70000;
    if (isalpha(c))
        sk_assume(1);
}
/// holds: wcslen wcscpy wcsncpy wcscat wcscmp wmemset wmemcpy
{
    wchar_t to[5] = L"ab";
    sk_assert(wcslen(to) == 2 && !wcscmp(wcscat(to, L"cd"), L"abcd"));
    wcsncpy(to, L"x", 5);
    sk_assert(to[4] == 0);
    wmemset(to, L'y', 4);
    wmemcpy(to, L"z", 1);
    sk_assert(!wcscmp(to, L"zyyy"));
}
/// violates deref: wcscpy
{
    wchar_t to[3];
    wcscpy(to, L"abc");
}
/// violates deref: wmemset
{
    wchar_t to[3];
    wmemset(to, L'x', 4);
}
/// violates deref: wcsncpy
{
    wchar_t to[3];
    wcsncpy(to, L"a", 4);
}
