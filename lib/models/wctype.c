/* wctype.c: classes of wide characters in the C locale: those of ASCII. */
#include <selkie/model.h>

#define WCTYPE_CLASS(name, condition) \
    MODEL int name(wint_t c) { return (condition) ? 1 : 0; }

#define wctype_between(low, high) (c >= (low) && c <= (high))
#define wctype_upper wctype_between('A', 'Z')
#define wctype_lower wctype_between('a', 'z')
#define wctype_digit wctype_between('0', '9')

WCTYPE_CLASS(iswupper, wctype_upper)
WCTYPE_CLASS(iswlower, wctype_lower)
WCTYPE_CLASS(iswalpha, wctype_upper || wctype_lower)
WCTYPE_CLASS(iswdigit, wctype_digit)
WCTYPE_CLASS(iswxdigit, wctype_digit || wctype_between('a', 'f') || wctype_between('A', 'F'))
WCTYPE_CLASS(iswspace, c == ' ' || wctype_between('\t', '\r'))
WCTYPE_CLASS(iswprint, wctype_between(' ', '~'))
WCTYPE_CLASS(iswgraph, wctype_between('!', '~'))
WCTYPE_CLASS(iswblank, c == ' ' || c == '\t')
WCTYPE_CLASS(iswcntrl, c <= 31 || c == 127)
WCTYPE_CLASS(iswpunct, wctype_between('!', '~') && !(wctype_upper || wctype_lower || wctype_digit))
WCTYPE_CLASS(iswalnum, wctype_upper || wctype_lower || wctype_digit)

MODEL wint_t towupper(wint_t c) { return wctype_lower ? c - 32 : c; }
MODEL wint_t towlower(wint_t c) { return wctype_upper ? c + 32 : c; }
