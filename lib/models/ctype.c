/* ctype.c: character classes of the C locale, as functions. By comparisons: a table would be a long
 * case distinction for a character that is not known. The results are those of glibc. */
#include "text.h"

#define CTYPE_UPPER 0x100
#define CTYPE_LOWER 0x200
#define CTYPE_ALPHA 0x400
#define CTYPE_DIGIT 0x800
#define CTYPE_XDIGIT 0x1000
#define CTYPE_SPACE 0x2000
#define CTYPE_PRINT 0x4000
#define CTYPE_GRAPH 0x8000
#define CTYPE_BLANK 0x1
#define CTYPE_CNTRL 0x2
#define CTYPE_PUNCT 0x4
#define CTYPE_ALNUM 0x8

/* EOF and all values of both char types are allowed. */
#define CTYPE_CLASS(name, flag, condition) \
    MODEL int name(int c) { \
        __selkie_check(c >= -128 && c <= 255, "deref", #name ": the argument is a character or EOF"); \
        return (condition) ? flag : 0; \
    } \
    MODEL int name##_l(int c, void *locale) { \
        (void)locale; \
        __selkie_check(c >= -128 && c <= 255, "deref", #name "_l: the argument is a character or EOF"); \
        return (condition) ? flag : 0; \
    }

#define ctype_between(low, high) (c >= (low) && c <= (high))
#define ctype_upper ctype_between('A', 'Z')
#define ctype_lower ctype_between('a', 'z')
#define ctype_digit ctype_between('0', '9')

CTYPE_CLASS(isupper, CTYPE_UPPER, ctype_upper)
CTYPE_CLASS(islower, CTYPE_LOWER, ctype_lower)
CTYPE_CLASS(isalpha, CTYPE_ALPHA, ctype_upper || ctype_lower)
CTYPE_CLASS(isdigit, CTYPE_DIGIT, ctype_digit)
CTYPE_CLASS(isxdigit, CTYPE_XDIGIT, ctype_digit || ctype_between('a', 'f') || ctype_between('A', 'F'))
CTYPE_CLASS(isspace, CTYPE_SPACE, text_space(c))
CTYPE_CLASS(isprint, CTYPE_PRINT, ctype_between(' ', '~'))
CTYPE_CLASS(isgraph, CTYPE_GRAPH, ctype_between('!', '~'))
CTYPE_CLASS(isblank, CTYPE_BLANK, c == ' ' || c == '\t')
CTYPE_CLASS(iscntrl, CTYPE_CNTRL, ctype_between(0, 31) || c == 127)
CTYPE_CLASS(ispunct, CTYPE_PUNCT, ctype_between('!', '~') && !(ctype_upper || ctype_lower || ctype_digit))
CTYPE_CLASS(isalnum, CTYPE_ALNUM, ctype_upper || ctype_lower || ctype_digit)

/* Defined for all ints, as in glibc; a negative char becomes the unsigned one. */
#define ctype_unsigned (c >= -128 && c < EOF ? c + 256 : c)
MODEL int toupper(int c) { return ctype_lower ? c - 32 : ctype_unsigned; }
MODEL int tolower(int c) { return ctype_upper ? c + 32 : ctype_unsigned; }
MODEL int toupper_l(int c, void *locale) { (void)locale; return ctype_lower ? c - 32 : ctype_unsigned; }
MODEL int tolower_l(int c, void *locale) { (void)locale; return ctype_upper ? c + 32 : ctype_unsigned; }
MODEL int isascii(int c) { return c >= 0 && c <= 127; }
MODEL int toascii(int c) { return c & 127; }
