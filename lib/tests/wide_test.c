/* wide_test.c: wchar.h against the real library, and conversions. */
#define _GNU_SOURCE
#include "native.h"

#include <wchar.h>

#define RUNS 3000
#define SIZE 20

MODEL_OF(wcslen);
MODEL_OF(wcsnlen);
MODEL_OF(wcscpy);
MODEL_OF(wcsncpy);
MODEL_OF(wcscat);
MODEL_OF(wcsncat);
MODEL_OF(wcscmp);
MODEL_OF(wcsncmp);
MODEL_OF(wcschr);
MODEL_OF(wcsrchr);
MODEL_OF(wcsstr);
MODEL_OF(wcsdup);
MODEL_OF(wmemcpy);
MODEL_OF(wmempcpy);
MODEL_OF(wmemmove);
MODEL_OF(wmemset);
MODEL_OF(wmemcmp);
MODEL_OF(wmemchr);
MODEL_OF(mbstowcs);
MODEL_OF(wcstombs);
MODEL_OF(mbtowc);
MODEL_OF(mblen);
MODEL_OF(wctomb);
MODEL_OF(btowc);
MODEL_OF(wctob);

static wchar_t *string(int place, unsigned most) {
    unsigned n = random_below(most + 1);
    wchar_t *s = guarded(place, (n + 1) * sizeof(wchar_t));
    for (unsigned i = 0; i < n; i++)
        s[i] = random_below(8) ? 'a' + (wchar_t)random_below(2) : (wchar_t)(0x10000 + random_below(3) * 0x40000000);
    s[n] = 0;
    return s;
}

static int sign(int x) { return (x > 0) - (x < 0); }

static wchar_t *targets[2];

static void same_targets(void) {
    for (int i = 0; i < 2; i++) {
        targets[i] = guarded(i, SIZE * sizeof(wchar_t));
        for (int k = 0; k < SIZE; k++)
            targets[i][k] = 'x';
    }
}

#define WRITES(name, real, model) \
    do { \
        wchar_t *to = targets[0], *want = (real), *got = NULL; \
        to = targets[1]; \
        EXPECT(ATTEMPT(got = (model)) == RETURNED, name); \
        EXPECT(want - targets[0] == got - targets[1], name); \
        EXPECT(memcmp(targets[0], targets[1], SIZE * sizeof(wchar_t)) == 0, name); \
        same_targets(); \
    } while (0)

static void strings(void) {
    wchar_t *from = string(2, SIZE - 1);
    size_t n = random_below(SIZE);
    same_targets();
    WRITES("wcscpy", wcscpy(to, from), model_wcscpy(to, from));
    WRITES("wcsncpy", wcsncpy(to, from, n), model_wcsncpy(to, from, n));
    WRITES("wmemcpy", wmemcpy(to, from, wcslen(from)), model_wmemcpy(to, from, wcslen(from)));
    WRITES("wmempcpy", wmempcpy(to, from, wcslen(from)), model_wmempcpy(to, from, wcslen(from)));
    WRITES("wmemmove", wmemmove(to + 1, to, n), model_wmemmove(to + 1, to, n));
    WRITES("wmemset", wmemset(to, from[0], n), model_wmemset(to, from[0], n));
    from = string(2, 8);
    size_t start = random_below(SIZE - 9);
    targets[0][start] = targets[1][start] = 0;
    WRITES("wcscat", wcscat(to, from), model_wcscat(to, from));
    targets[0][start] = targets[1][start] = 0;
    WRITES("wcsncat", wcsncat(to, from, n), model_wcsncat(to, from, n));

    wchar_t *s = string(3, SIZE), *t = string(4, 3), c = random_below(4) ? 'a' : 0;
    EXPECT(model_wcslen(s) == wcslen(s) && model_wcsnlen(s, n) == wcsnlen(s, n), "wcslen");
    EXPECT(sign(model_wcscmp(s, t)) == sign(wcscmp(s, t)), "wcscmp");
    EXPECT(sign(model_wcsncmp(s, t, n)) == sign(wcsncmp(s, t, n)), "wcsncmp");
    EXPECT(model_wcschr(s, c) == wcschr(s, c) && model_wcsrchr(s, c) == wcsrchr(s, c), "wcschr");
    EXPECT(model_wcsstr(s, t) == wcsstr(s, t), "wcsstr");
    size_t least = wcslen(s) < wcslen(t) ? wcslen(s) : wcslen(t);
    EXPECT(sign(model_wmemcmp(s, t, least)) == sign(wmemcmp(s, t, least)), "wmemcmp");
    EXPECT(model_wmemchr(s, c, wcslen(s)) == wmemchr(s, c, wcslen(s)), "wmemchr");
    wchar_t *copy = NULL;
    EXPECT(native_live() > 1000 || (ATTEMPT(copy = model_wcsdup(s)) == RETURNED && !wcscmp(copy, s)), "wcsdup");
    EXPECT(ATTEMPT(model_wcslen(guarded(5, 0))) == FAULT, "wcslen past the end");
}

static void conversions(void) {
    unsigned n = random_below(10);
    char *s = guarded(0, n + 1), bytes[16], model_bytes[16];
    random_bytes(s, n, random_below(4) ? "ab" : "ab\300");
    s[n] = 0;
    wchar_t wides[16] = {0}, model_wides[16] = {0};
    size_t limit = random_below(16);
    size_t want = mbstowcs(wides, s, limit), got = 0;
    EXPECT(ATTEMPT(got = model_mbstowcs(model_wides, s, limit)) == RETURNED, "mbstowcs");
    EXPECT(want == got && (want == (size_t)-1 || !memcmp(wides, model_wides, want * sizeof(wchar_t))), "mbstowcs");
    EXPECT(model_mbstowcs(NULL, s, 0) == mbstowcs(NULL, s, 0), "mbstowcs");
    wchar_t *t = string(1, 8);
    memset(bytes, 0, sizeof bytes);
    memset(model_bytes, 0, sizeof model_bytes);
    want = wcstombs(bytes, t, limit), got = model_wcstombs(model_bytes, t, limit);
    EXPECT(want == got && (want == (size_t)-1 || !memcmp(bytes, model_bytes, want)), "wcstombs");
    EXPECT(model_wcstombs(NULL, t, 0) == wcstombs(NULL, t, 0), "wcstombs");
    wchar_t one = 0, model_one = 0;
    EXPECT(mbtowc(&one, s, 1) == model_mbtowc(&model_one, s, 1) && one == model_one, "mbtowc");
    EXPECT(mblen(s, 1) == model_mblen(s, 1) && mblen(NULL, 0) == model_mblen(NULL, 0), "mblen");
    EXPECT(wctomb(bytes, t[0]) == model_wctomb(model_bytes, t[0]) && bytes[0] == model_bytes[0], "wctomb");
    int c = (int)random_below(400) - 100;
    EXPECT(btowc(c) == model_btowc(c), "btowc of %d", c);
    EXPECT(wctob((wint_t)c) == model_wctob((wint_t)c), "wctob of %d", c);
}

static void violations(void) {
    wchar_t *s = guarded(0, 4 * sizeof(wchar_t)), *t = guarded(1, 4 * sizeof(wchar_t));
    const size_t most = (size_t)-1 / sizeof(wchar_t) + 1;
    memcpy(s, L"abc", 4 * sizeof(wchar_t));
    EXPECT(ATTEMPT(model_wcsncpy(s + 1, s, 2)) == CHECK_FAILED && !strcmp(native_check, "overlap"), "wcsncpy onto itself");
    memcpy(s, L"a", 2 * sizeof(wchar_t));
    EXPECT(ATTEMPT(model_wcsncat(s, s, 2)) == CHECK_FAILED && !strcmp(native_check, "overlap"), "wcsncat to itself");
    /* The size in bytes is no size_t. */
    EXPECT(ATTEMPT(model_wmemcpy(t, s, most)) != RETURNED, "wmemcpy of too much");
    EXPECT(ATTEMPT(model_wmemmove(t, s, most)) != RETURNED, "wmemmove of too much");
    EXPECT(ATTEMPT(model_wcsncpy(t, L"", most)) != RETURNED, "wcsncpy of too much");
}

int main(void) {
    violations();
    for (int i = 0; i < RUNS; i++) {
        strings();
        conversions();
    }
    static const char *const names[] = {"wcslen",  "wcsnlen", "wcscpy",  "wcsncpy",  "wcscat",   "wcsncat",  "wcscmp", "wcsncmp", "wcschr",
                                        "wcsrchr", "wcsstr",  "wcsdup",  "wmemcpy",  "wmempcpy", "wmemmove", "wmemset", "wmemcmp", "wmemchr",
                                        "mbstowcs", "wcstombs", "mbtowc", "mblen",   "wctomb",   "btowc",    "wctob"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
}
