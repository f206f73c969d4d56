/* Each block is a program of its own: those that hold under every choice, and those that violate a check
 * under some. The names are those of the models that the block is about; FUNCTION stands for each of them. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <selkie.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* What the compiler calls when it knows the destination's size, and other names of glibc's. */
char *__strcpy_chk(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t), *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t), *__strncat_chk(char *, const char *, size_t, size_t);
void *__memcpy_chk(void *, const void *, size_t, size_t), *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
char *__stpcpy(char *, const char *), *__stpncpy(char *, const char *, size_t);
char *__strdup(const char *), *__strndup(const char *, size_t), *__strtok_r(char *, const char *, char **);
int __xpg_strerror_r(int, char *, size_t);
void __chk_fail(void), __stack_chk_fail(void);

/* BSD's. */
size_t strlcpy(char *, const char *, size_t), strlcat(char *, const char *, size_t);
char *strnstr(const char *, const char *, size_t);

/* A member that is smaller than its object. */
static struct {
    char small[4], more[12];
} object;

/* A string without a terminator. */
static char open[3] = {'a', 'b', 'c'};

/// holds: strlen strnlen
{
    char s[] = "abc";
    sk_assert(strlen(s) == 3 && strlen(s + 3) == 0 && strnlen(s, 2) == 2 && strnlen(s, 9) == 3);
    char open[3] = {'a', 'b', 'c'};
    sk_assert(strnlen(open, 3) == 3);
}
/// violates deref: strlen
{
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
    sk_assert((isspace)(' ') && isxdigit('f') && !isxdigit('g') && isalnum('z'));
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
/// violates deref: isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
{
    (FUNCTION)(sk_nondet_bool() ? 256 : -129);
}
/// violates deref: isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l
///     isupper_l isxdigit_l
{
    (FUNCTION)(sk_nondet_bool() ? 256 : -129, (locale_t)0);
}
/// holds: isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
{
    sk_assert(!(FUNCTION)(EOF) && !(FUNCTION)(200));
    int c = sk_nondet_uchar();
    sk_assert(!(FUNCTION)(c) || c < 128);
}
/// holds: isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l
///     isupper_l isxdigit_l
{
    sk_assert(!(FUNCTION)(EOF, (locale_t)0) && !(FUNCTION)(200, (locale_t)0));
}
/// holds: isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit isascii toascii
{
    int c = sk_nondet_uchar();
    sk_assert(!(isalnum)(c) == (!(isalpha)(c) && !(isdigit)(c)));
    sk_assert(!(isalpha)(c) == (!(isupper)(c) && !(islower)(c)));
    sk_assert(!(isgraph)(c) == (!(isalnum)(c) && !(ispunct)(c)));
    sk_assert(!(isprint)(c) == (!(isgraph)(c) && c != ' '));
    sk_assert(!(iscntrl)(c) || !(isprint)(c));
    sk_assert(!(isblank)(c) || (isspace)(c));
    sk_assert(!(isdigit)(c) || (isxdigit)(c));
    sk_assert(!(isascii)(c) == (c > 127) && (toascii)(c) == (c & 127));
}
/// holds: isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l
///     isupper_l isxdigit_l toupper_l tolower_l toupper tolower
{
    locale_t c = (locale_t)0;
    sk_assert((isalnum_l)('a', c) && (isalpha_l)('Z', c) && (isblank_l)('\t', c) && (iscntrl_l)('\n', c) && (isdigit_l)('7', c));
    sk_assert((isgraph_l)('!', c) && (islower_l)('q', c) && (isprint_l)(' ', c) && (ispunct_l)('~', c) && (isspace_l)('\v', c));
    sk_assert((isupper_l)('Q', c) && (isxdigit_l)('F', c) && (toupper_l)('x', c) == 'X' && (tolower_l)('X', c) == 'x');
    sk_assert((toupper)('x') == 'X' && (tolower)('X') == 'x' && (toupper)(EOF) == EOF && (tolower)('1') == '1');
}
/// holds: __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max
{
    const unsigned short *classes = *__ctype_b_loc();
    sk_assert(classes['a'] != 0 && classes[-128] == 0 && classes[255] == 0);
    sk_assert((*__ctype_tolower_loc())['A'] == 'a' && (*__ctype_toupper_loc())['a'] == 'A' && (*__ctype_toupper_loc())[EOF] == EOF);
    sk_assert(MB_CUR_MAX == 1);
}
/// holds: strcpy __strcpy_chk
{
    char to[4];
    sk_assert(strcpy(to, "abc") == to && !memcmp(to, "abc", 4));
    sk_assert(__strcpy_chk(to, "xyz", 4) == to && !memcmp(to, "xyz", 4));
}
/// holds: stpcpy __stpcpy __stpncpy __stpcpy_chk __strncpy_chk __stpncpy_chk
{
    char to[4];
    sk_assert(stpcpy(to, "ab") == to + 2 && __stpcpy(to, "abc") == to + 3 && !memcmp(to, "abc", 4));
    sk_assert(__stpncpy(to, "x", 4) == to + 1 && !memcmp(to, "x\0\0", 4));
    sk_assert(__stpcpy_chk(to, "abc", 4) == to + 3 && __strncpy_chk(to, "xyz", 2, 2) == to && !memcmp(to, "xyc", 4));
    sk_assert(__stpncpy_chk(to, "q", 4, 4) == to + 1 && to[3] == 0);
}
/// violates deref: strcpy stpcpy __stpcpy
{
    char to[3];
    FUNCTION(to, "abc");
}
/// violates deref: strcpy stpcpy __stpcpy
{
    char to[8];
    FUNCTION(to, open);
}
/// violates overlap: strcpy stpcpy __stpcpy
{
    char s[8] = "abc";
    FUNCTION(s, s);
}
/// violates deref: __strcpy_chk __stpcpy_chk
{
    /* The object is large enough, its member is not. */
    FUNCTION(object.small, "abcd", sizeof object.small);
}
/// violates deref: __strcpy_chk __stpcpy_chk
{
    char to[3];
    FUNCTION(to, "abc", (size_t)-1);
}
/// violates overlap: __strcpy_chk __stpcpy_chk
{
    char s[8] = "abc";
    FUNCTION(s, s, sizeof s);
}
/// violates deref: strncpy stpncpy __stpncpy
{
    char to[3];
    FUNCTION(to, "abcd", 4);
}
/// violates deref: strncpy stpncpy __stpncpy
{
    char to[8];
    FUNCTION(to, open, 4);
}
/// violates overlap: strncpy stpncpy __stpncpy
{
    char s[8] = "abcdef";
    FUNCTION(s + 3, s, 4);
}
/// violates deref: __strncpy_chk __stpncpy_chk
{
    FUNCTION(object.small, "a", 5, sizeof object.small);
}
/// violates overlap: __strncpy_chk __stpncpy_chk
{
    char s[8] = "abcdef";
    FUNCTION(s + 3, s, 4, 5);
}
/// holds: strlcpy strlcat
{
    char to[6];
    sk_assert(strlcpy(to, "ab", 6) == 2 && !strcmp(to, "ab") && strlcat(to, "cdef", 6) == 6 && !strcmp(to, "abcde"));
    sk_assert(strlcpy(to, "uvwxyz", 3) == 6 && !strcmp(to, "uv") && strlcpy(NULL, "abc", 0) == 3 && strlcat(to, "q", 2) == 3);
}
/// violates deref: strlcpy strlcat
{
    char to[4] = "";
    FUNCTION(to, "abcd", 5);
}
/// violates deref: strlcpy strlcat
{
    /* The source must end even if no more of it fits. */
    char to[2] = "";
    FUNCTION(to, open, 2);
}
/// violates overlap: strlcpy
{
    char s[8] = "abcdef";
    strlcpy(s + 2, s, 5);
}
/// violates overlap: strlcat
{
    char s[8] = "abc";
    strlcat(s, s + 1, 8);
}
/// holds: strcat strncat __strcat_chk __strncat_chk
{
    char to[8] = "a";
    sk_assert(strcat(to, "b") == to && strncat(to, "cd", 1) == to && !strcmp(to, "abc"));
    sk_assert(__strcat_chk(to, "de", 6) == to && __strncat_chk(to, "fgh", 2, 8) == to && !strcmp(to, "abcdefg"));
}
/// violates deref: strcat
{
    char to[8] = "ab";
    strcat(to, open);
}
/// violates overlap: strcat
{
    /* The copy begins where the source ends. */
    char s[8] = "ab";
    strcat(s, s + 2);
}
/// violates overlap: strncat
{
    char s[8] = "ab";
    strncat(s, s, 4);
}
/// violates deref: __strcat_chk
{
    strcpy(object.small, "ab");
    __strcat_chk(object.small, "cd", sizeof object.small);
}
/// violates overlap: __strcat_chk
{
    char s[8] = "ab";
    __strcat_chk(s, s + 2, 8);
}
/// violates deref: __strncat_chk
{
    strcpy(object.small, "ab");
    __strncat_chk(object.small, "cde", 2, sizeof object.small);
}
/// violates overlap: __strncat_chk
{
    char s[8] = "ab";
    __strncat_chk(s, s, 4, 8);
}
/// violates deref: strcmp strcoll strcasecmp strverscmp
{
    FUNCTION(sk_nondet_bool() ? open : "abc1", "abcd");
}
/// violates deref: strncmp strncasecmp
{
    FUNCTION("abcd", open, 4);
}
/// holds: strncmp strncasecmp
{
    sk_assert(!FUNCTION(open, "abcd", 3) && FUNCTION("x", "y", 0) == 0 && FUNCTION("a", "b", 9) < 0);
}
/// holds: strverscmp strxfrm strcoll
{
    sk_assert(strverscmp("jan9", "jan10") < 0 && strverscmp("a01", "a1") < 0 && strverscmp("000", "00") < 0 && !strverscmp("x2", "x2"));
    char a[4], b[4], small[1];
    sk_assert(strxfrm(a, "ab", 4) == 2 && strxfrm(b, "b", 4) == 1 && strcmp(a, b) < 0 && strcoll("ab", "b") < 0);
    sk_assert(strxfrm(NULL, "abc", 0) == 3 && strxfrm(small, "abc", 1) == 3);
}
/// violates deref: strxfrm
{
    char to[2];
    strxfrm(to, "abc", 3);
}
/// violates deref: strxfrm
{
    strxfrm(NULL, open, 0);
}
/// violates overlap: strxfrm
{
    char s[4] = "abc";
    strxfrm(s, s, 4);
}
/// violates deref: strchr strrchr strchrnul index rindex
{
    FUNCTION(open, 'z');
}
/// violates deref: rawmemchr
{
    /* No terminator stops it. */
    rawmemchr("abc", 'z');
}
/// violates deref: memchr memrchr
{
    FUNCTION(open, 'z', 4);
}
/// violates deref: memchr memrchr
{
    FUNCTION(NULL, 'z', 1);
}
/// holds: memchr memrchr
{
    sk_assert(!FUNCTION(open, 'z', 3) && FUNCTION(open, 'b', 3) == open + 1 && !FUNCTION(open, 'a', 0));
}
/// holds: memchr
{
    /* What stands behind the match is not read. */
    sk_assert(memchr(open, 'c', 100) == open + 2);
}
/// holds: strstr strcasestr strnstr memmem
{
    const char *s = "xAb";
    sk_assert(strstr(s, "Ab") == s + 1 && !strstr(s, "ab") && strcasestr(s, "aB") == s + 1 && !strcasestr(s, "abc"));
    sk_assert(strnstr(s, "Ab", 3) == s + 1 && !strnstr(s, "Ab", 2) && strnstr(open, "bc", 3) == open + 1);
    sk_assert(memmem(open, 3, "c", 1) == open + 2 && !memmem(open, 3, "ca", 2));
}
/// violates deref: strstr strcasestr
{
    FUNCTION("abc", sk_nondet_bool() ? open : NULL);
}
/// violates deref: strcasestr
{
    strcasestr(open, "CD");
}
/// violates deref: strnstr
{
    strnstr(open, "cd", 4);
}
/// violates deref: memmem
{
    memmem(open, 4, "a", 1);
}
/// violates deref: memmem
{
    memmem("abcdef", 6, open, 4);
}
/// violates deref: strspn strcspn strpbrk
{
    FUNCTION("abc", NULL);
}
/// violates deref: strcspn strpbrk
{
    FUNCTION(open, "xyz");
}
/// holds: strtok_r __strtok_r
{
    char s[] = ",,ab;c", *rest;
    sk_assert(!strcmp(FUNCTION(s, ",;", &rest), "ab") && FUNCTION(NULL, ",;", &rest) == s + 5 && !FUNCTION(NULL, ",;", &rest));
}
/// violates deref: strtok_r __strtok_r
{
    char s[] = "abc";
    FUNCTION(s, ",", NULL);
}
/// violates deref: strtok_r __strtok_r
{
    char *rest;
    FUNCTION((char *)"a,b", ",", &rest);
}
/// violates deref: strsep
{
    char *rest = (char *)"a,b";
    strsep(&rest, ",");
}
/// violates deref: strsep
{
    strsep(NULL, ",");
}
/// holds: strdup __strdup
{
    char *copy = FUNCTION("abc");
    sk_assert(!memcmp(copy, "abc", 4));
    free(copy);
}
/// holds: strndup __strndup
{
    char *copy = FUNCTION(open, 3), *less = FUNCTION("x", 3);
    sk_assert(!memcmp(copy, "abc", 4) && !memcmp(less, "x", 2));
    free(copy);
    free(less);
}
/// violates deref: strdup __strdup
{
    free(FUNCTION(open));
}
/// violates deref: strndup __strndup
{
    free(FUNCTION(open, 4));
}
/// violates leak: strdup __strdup
{
    FUNCTION("abc");
}
/// violates leak: strndup __strndup
{
    FUNCTION("abc", 1);
}
/// holds: strerror strsignal strerror_r __xpg_strerror_r
{
    char text[8];
    sk_assert(strerror(ENOENT) != NULL && strlen(strsignal(SIGINT)) < 64);
    sk_assert(strlen(strerror_r(ENOENT, text, 8)) < 64);
    sk_assert(__xpg_strerror_r(ENOENT, text, 8) != 0 || strlen(text) < 8);
}
/// violates deref: strerror_r __xpg_strerror_r
{
    char text[8];
    FUNCTION(ENOENT, text, 9);
}
/// violates assert: strerror
{
    char *text = strerror(ENOENT);
    sk_assert(text[0] == 'N');
}
/// holds: explicit_bzero __explicit_bzero_chk bzero
{
    char s[4] = "abc";
    explicit_bzero(s, 1);
    __explicit_bzero_chk(s + 1, 1, 3);
    bzero(s + 2, 0);
    sk_assert(s[0] == 0 && s[1] == 0 && s[2] == 'c');
}
/// violates deref: bzero explicit_bzero
{
    char *s = malloc(4);
    free(s);
    FUNCTION(s, 4);
}
/// violates deref: explicit_bzero
{
    explicit_bzero((char *)"abc", 1);
}
/// violates deref: __explicit_bzero_chk
{
    __explicit_bzero_chk(object.small, 5, sizeof object.small);
}
/// violates deref: bcopy
{
    bcopy(open, (char *)"xyz", 3);
}
/// violates deref: memccpy
{
    char to[8];
    memccpy(to, open, 'z', 4);
}
/// violates overlap: memccpy
{
    char s[8] = "abcdef";
    memccpy(s + 2, s, 'z', 4);
}
/// holds: swab
{
    char to[4] = "xyz";
    swab("abcd", to, 3);
    sk_assert(!memcmp(to, "baz", 4));
    swab("abcd", to, -2);
    swab("abcd", to, 4);
    sk_assert(!memcmp(to, "badc", 4));
}
/// violates deref: swab
{
    char to[3];
    swab("abcd", to, 4);
}
/// violates overlap: swab
{
    char s[6] = "abcde";
    swab(s, s + 2, 4);
}
/// holds: __memcpy_chk __mempcpy_chk __memmove_chk __memset_chk
{
    char to[4];
    sk_assert(__memcpy_chk(to, "abc", 4, 4) == to && __mempcpy_chk(to, "xy", 2, 4) == to + 2 && !memcmp(to, "xyc", 4));
    sk_assert(__memmove_chk(to + 1, to, 2, 3) == to + 1 && __memset_chk(to, 'q', 1, 4) == to && !memcmp(to, "qxy", 4));
}
/// violates deref: __memcpy_chk __mempcpy_chk __memmove_chk
{
    FUNCTION(object.small, "abcde", 5, sizeof object.small);
}
/// violates deref: __memcpy_chk __mempcpy_chk __memmove_chk
{
    char to[8];
    FUNCTION(to, open, 4, 8);
}
/// violates overlap: __memcpy_chk __mempcpy_chk
{
    char s[8] = "abcdef";
    FUNCTION(s + 2, s, 4, 6);
}
/// violates deref: __memset_chk
{
    __memset_chk(object.small, 0, 5, sizeof object.small);
}
/// violates deref: __chk_fail __stack_chk_fail
{
    FUNCTION();
}
/// holds: __chk_fail __stack_chk_fail
{
    int overflown = open[0] != 'a';
    if (overflown)
        FUNCTION();
}
/// holds: memcpy mempcpy memmove memset memcmp bcmp
{
    char to[8];
    sk_assert(memcpy(to, "abcd", 5) == to && mempcpy(to + 4, "ef", 3) == to + 7 && !memcmp(to, "abcdef", 7));
    sk_assert(memmove(to + 1, to, 3) == to + 1 && !memcmp(to, "aabcef", 7) && memset(to, 'x', 2) == to);
    sk_assert(!bcmp(to, "xxbcef", 7) && memcmp(to, "xy", 2) < 0 && memcmp("\377", "a", 1) > 0 && bcmp("a", "b", 1) != 0);
}
/// violates deref: memcpy mempcpy memmove
{
    char to[8];
    FUNCTION(to, open, 4);
}
/// violates deref: memcpy mempcpy memmove
{
    char to[2];
    FUNCTION(to, open, 3);
}
/// violates overlap: memcpy mempcpy
{
    char s[8] = "abcdef";
    FUNCTION(s + 1, s, 2);
}
/// violates deref: memset
{
    char to[2];
    memset(to, 0, 3);
}
/// violates deref: memcmp bcmp
{
    int order = FUNCTION(open, "abcd", 4);
    (void)order;
}
