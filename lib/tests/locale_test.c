/* locale_test.c: the C locale's conventions and characters, against the real library. */
#define _GNU_SOURCE
#include "native.h"

#include <ctype.h>
#include <locale.h>

MODEL_OF(localeconv);
int model_toupper_l(int, void *), model_tolower_l(int, void *);

int main(void) {
    struct lconv *want = localeconv(), *got = model_localeconv();
    char *const *want_texts = (char *const *)want, *const *got_texts = (char *const *)got;
    for (int i = 0; i < 10; i++)
        EXPECT(!strcmp(want_texts[i], got_texts[i]), "text %d of localeconv", i);
    EXPECT(!memcmp(want_texts + 10, got_texts + 10, 14), "numbers of localeconv");
    COVERS("localeconv");
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (int i = -128; i < 256; i++) {
        EXPECT(model_toupper_l(i, c) == (toupper_l)(i, c), "toupper_l of %d", i);
        EXPECT(model_tolower_l(i, c) == (tolower_l)(i, c), "tolower_l of %d", i);
    }
    freelocale(c);
    COVERS("toupper_l");
    COVERS("tolower_l");
}
