/* As string.c: wide characters and locales. */
#define _GNU_SOURCE
#include <locale.h>
#include <selkie.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* A string without a terminator. */
static wchar_t open[3] = {L'a', L'b', L'c'};

/* So many wide characters that their size in bytes is 0, if one computes it with 64 bits. */
static const size_t too_many = (size_t)-1 / sizeof(wchar_t) + 1;

/// holds: wcslen wcsnlen
{
    sk_assert(wcslen(L"abc") == 3 && wcsnlen(open, 3) == 3 && wcsnlen(L"a", 3) == 1);
}
/// violates deref: wcslen
{
    wcslen(open);
}
/// violates deref: wcsnlen
{
    wcsnlen(open, 4);
}
/// holds: wcscpy wcsncpy wcscat wcsncat
{
    wchar_t to[5] = L"xxxx";
    sk_assert(wcscpy(to, L"ab") == to && !wmemcmp(to, L"ab\0x", 4) && !wcscmp(wcscat(to, L"cd"), L"abcd"));
    sk_assert(wcsncpy(to, L"y", 4) == to && to[3] == 0 && wcsncat(to, L"zq", 1) == to && !wcscmp(to, L"yz"));
}
/// violates deref: wcscpy
{
    wchar_t to[3];
    wcscpy(to, L"abc");
}
/// violates overlap: wcscpy
{
    wchar_t s[4] = L"abc";
    wcscpy(s, s);
}
/// violates deref: wcsncpy
{
    wchar_t to[3];
    wcsncpy(to, L"a", sk_nondet_bool() ? 4 : too_many);
}
/// violates deref: wcsncpy
{
    wchar_t to[3];
    wcsncpy(to, L"", too_many);
}
/// violates overlap: wcsncpy
{
    wchar_t s[8] = L"abcdef";
    wcsncpy(s + 2, s, 4);
}
/// violates deref: wcscat
{
    wchar_t to[5] = L"ab";
    wcscat(to, L"cde");
}
/// violates overlap: wcscat
{
    wchar_t s[8] = L"ab";
    wcscat(s, s + 2);
}
/// violates deref: wcsncat
{
    wchar_t to[4] = L"ab";
    wcsncat(to, L"cde", 2);
}
/// violates overlap: wcsncat
{
    wchar_t s[8] = L"ab";
    wcsncat(s, s, 4);
}
/// holds: wcscmp wcsncmp wcschr wcsrchr wcsstr
{
    const wchar_t *s = L"abcb";
    sk_assert(wcscmp(s, L"abd") < 0 && !wcscmp(s, s) && !wcsncmp(s, open, 3) && wcsncmp(s, L"b", 9) < 0);
    sk_assert(wcschr(s, L'b') == s + 1 && wcsrchr(s, L'b') == s + 3 && !wcschr(s, L'z') && wcschr(s, 0) == s + 4);
    sk_assert(wcsstr(s, L"cb") == s + 2 && wcsstr(s, L"") == s && !wcsstr(s, L"x"));
}
/// violates deref: wcscmp
{
    wcscmp(open, L"abcd");
}
/// violates deref: wcsncmp
{
    wcsncmp(L"abcd", open, 4);
}
/// violates deref: wcschr wcsrchr
{
    FUNCTION(open, L'z');
}
/// violates deref: wcsstr
{
    wcsstr(open, L"cd");
}
/// holds: wcsdup
{
    wchar_t *copy = wcsdup(L"abc");
    sk_assert(!wcscmp(copy, L"abc"));
    free(copy);
}
/// violates deref: wcsdup
{
    free(wcsdup(open));
}
/// violates leak: wcsdup
{
    wcsdup(L"abc");
}
/// holds: wmemcpy wmempcpy wmemmove wmemset wmemcmp wmemchr
{
    wchar_t to[4];
    sk_assert(wmemset(to, L'x', 4) == to && to[3] == L'x' && wmemcpy(to, L"ab", 2) == to && wmempcpy(to + 2, L"cd", 2) == to + 4);
    sk_assert(wmemmove(to + 1, to, 2) == to + 1 && !wmemcmp(to, L"aabd", 4) && wmemcmp(to, L"b", 1) < 0);
    sk_assert(wmemchr(to, L'b', 4) == to + 2 && !wmemchr(to, L'z', 4));
}
/// violates deref: wmemcpy wmempcpy wmemmove
{
    wchar_t to[8];
    FUNCTION(to, open, 4);
}
/// violates deref: wmemcpy wmempcpy wmemmove
{
    wchar_t to[2];
    FUNCTION(to, open, 3);
}
/// violates deref: wmemmove
{
    wchar_t to[2];
    FUNCTION(to, open, too_many);
}
/// violates overlap: wmemcpy wmempcpy
{
    wchar_t s[8] = L"abcdef";
    FUNCTION(s + 1, s, 2);
}
/// violates deref: wmemset
{
    wchar_t to[3];
    wmemset(to, L'x', 4);
}
/// violates deref: wmemcmp
{
    wmemcmp(open, L"abcd", 4);
}
/// violates deref: wmemchr
{
    wmemchr(open, L'z', 4);
}
/// holds: mbstowcs wcstombs mbtowc mblen wctomb btowc wctob
{
    wchar_t wide[4], one;
    char bytes[4];
    sk_assert(mbstowcs(wide, "abc", 4) == 3 && !wcscmp(wide, L"abc") && mbstowcs(NULL, "ab", 0) == 2);
    sk_assert(wcstombs(bytes, wide, 4) == 3 && !strcmp(bytes, "abc") && wcstombs(NULL, wide, 0) == 3);
    sk_assert(mbtowc(&one, "x", 1) == 1 && one == L'x' && mbtowc(NULL, "", 1) == 0 && mblen("x", 1) == 1 && mblen("", 1) == 0);
    sk_assert(wctomb(bytes, L'y') == 1 && bytes[0] == 'y' && wctomb(bytes, 0x20ac) == -1);
    sk_assert(btowc('a') == L'a' && btowc(EOF) == WEOF && wctob(L'a') == 'a' && wctob(0x20ac) == EOF);
}
/// violates deref: mbstowcs
{
    wchar_t to[3];
    mbstowcs(to, "abc", 4);
}
/// violates deref: wcstombs
{
    char to[8];
    wcstombs(to, open, 8);
}
/// violates deref: mbtowc
{
    wchar_t c;
    mbtowc(&c, "" + 1, 1);
}
/// violates deref: mblen
{
    mblen("" + 1, 1);
}
/// violates deref: wctomb
{
    wctomb((char *)"x", L'y');
}
/// holds: iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
///     towlower towupper
{
    wint_t c = sk_nondet_uchar();
    sk_assert(!(iswalnum)(c) == (!(iswalpha)(c) && !(iswdigit)(c)));
    sk_assert(!(iswalpha)(c) == (!(iswupper)(c) && !(iswlower)(c)));
    sk_assert(!(iswgraph)(c) == (!(iswalnum)(c) && !(iswpunct)(c)));
    sk_assert(!(iswprint)(c) == (!(iswgraph)(c) && c != L' '));
    sk_assert(!(iswcntrl)(c) || !(iswprint)(c));
    sk_assert(!(iswblank)(c) || (iswspace)(c));
    sk_assert(!(iswdigit)(c) || (iswxdigit)(c));
    sk_assert(!(iswupper)(c) || (towupper)((towlower)(c)) == c);
    sk_assert((iswupper)(L'A') && (iswxdigit)(L'f') && !(iswalpha)(0x20ac) && (towlower)(L'Q') == L'q' && !(iswalnum)(WEOF));
}
/// holds: setlocale localeconv
{
    sk_assert(!strcmp(setlocale(LC_ALL, "C"), "C") && !strcmp(setlocale(LC_ALL, NULL), "C"));
    char *name = setlocale(LC_ALL, "");
    sk_assert(!name || strlen(name) < 32);
    struct lconv *conventions = localeconv();
    sk_assert(!strcmp(conventions->decimal_point, ".") && conventions->thousands_sep[0] == 0 && conventions->frac_digits == 127);
}
/// violates deref: setlocale
{
    char name[2] = {'d', 'e'};
    setlocale(LC_ALL, name);
}
/// violates deref: setlocale
{
    char name[1] = {'C'};
    setlocale(LC_ALL, name);
}
