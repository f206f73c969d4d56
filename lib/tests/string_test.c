/* string_test.c: string.h and strings.h against the real library. */
#define _GNU_SOURCE
#include "native.h"

#include <strings.h>

#define RUNS 3000
#define SIZE 24

MODEL_OF(strlen);
MODEL_OF(strnlen);
MODEL_OF(strcpy);
MODEL_OF(stpcpy);
MODEL_OF(strncpy);
MODEL_OF(stpncpy);
MODEL_OF(strcat);
MODEL_OF(strncat);
MODEL_OF(strcmp);
MODEL_OF(strcoll);
MODEL_OF(strncmp);
MODEL_OF(strcasecmp);
MODEL_OF(strncasecmp);
MODEL_OF(strchr);
MODEL_OF(strrchr);
MODEL_OF(index);
MODEL_OF(rindex);
MODEL_OF(strchrnul);
MODEL_OF(rawmemchr);
MODEL_OF(memchr);
MODEL_OF(memrchr);
MODEL_OF(strstr);
MODEL_OF(strcasestr);
MODEL_OF(memmem);
MODEL_OF(strspn);
MODEL_OF(strcspn);
MODEL_OF(strpbrk);
MODEL_OF(strverscmp);
MODEL_OF(strxfrm);
MODEL_OF(strtok);
MODEL_OF(strtok_r);
MODEL_OF(strsep);
MODEL_OF(strdup);
MODEL_OF(strndup);
MODEL_OF(bzero);
MODEL_OF(explicit_bzero);
MODEL_OF(bcopy);
MODEL_OF(memccpy);
void swab(const void *, void *, ssize_t);
MODEL_OF(swab);

char *model___stpcpy(char *, const char *);
char *model___stpncpy(char *, const char *, size_t);
char *model___strtok_r(char *, const char *, char **);
char *model___strdup(const char *);
char *model___strndup(const char *, size_t);
char *model___strcpy_chk(char *, const char *, size_t);
char *model___stpcpy_chk(char *, const char *, size_t);
char *model___strncpy_chk(char *, const char *, size_t, size_t);
char *model___stpncpy_chk(char *, const char *, size_t, size_t);
char *model___strcat_chk(char *, const char *, size_t);
char *model___strncat_chk(char *, const char *, size_t, size_t);
void *model___memcpy_chk(void *, const void *, size_t, size_t);
void *model___mempcpy_chk(void *, const void *, size_t, size_t);
void *model___memmove_chk(void *, const void *, size_t, size_t);
void *model___memset_chk(void *, int, size_t, size_t);
void model___explicit_bzero_chk(void *, size_t, size_t);
size_t model_strlcpy(char *, const char *, size_t);
size_t model_strlcat(char *, const char *, size_t);
char *model_strnstr(const char *, const char *, size_t);

/* A random string of up to `most` bytes, its terminator before the guard page. */
static char *string(int place, unsigned most, const char *alphabet) {
    unsigned n = random_below(most + 1);
    char *s = guarded(place, n + 1);
    random_bytes(s, n, alphabet);
    s[n] = 0;
    return s;
}

static const char *alphabet(void) {
    static const char *const choices[] = {"ab", "abAB", "a\200\377z", "a,;b "};
    return choices[random_below(4)];
}

static int sign(int x) { return (x > 0) - (x < 0); }

/* The same offset in another array, or null in both. */
#define SAME(real, real_base, model, model_base) \
    ((real) == NULL ? (model) == NULL : (model) != NULL && (char *)(real) - (real_base) == (char *)(model) - (model_base))

/* ---- Functions that write: both start from the same bytes ------------------------------- */

static char *targets[2];

static void same_targets(void) {
    targets[0] = guarded(0, SIZE);
    targets[1] = guarded(1, SIZE);
    random_bytes(targets[0], SIZE, "xyz");
    memcpy(targets[1], targets[0], SIZE);
}

/* Compares results and bytes; `real` and `model` are written in terms of `to`. */
#define WRITES(name, real, model) \
    do { \
        char *to = targets[0]; \
        char *real_result = (char *)(size_t)(real); \
        to = targets[1]; \
        char *model_result = NULL; \
        enum ending ending = ATTEMPT(model_result = (char *)(size_t)(model)); \
        EXPECT(ending == RETURNED, "%s ends with %d", name, ending); \
        EXPECT(real_result - targets[0] == model_result - targets[1], "%s", name); \
        EXPECT(memcmp(targets[0], targets[1], SIZE) == 0, "%s: different bytes", name); \
        same_targets(); \
    } while (0)

/* What the BSD functions do, in terms of others. */
static size_t plain_strlcpy(char *to, const char *from, size_t n) {
    size_t length = strlen(from);
    if (n > 0) {
        size_t count = length < n ? length : n - 1;
        memcpy(to, from, count);
        to[count] = 0;
    }
    return length;
}

static size_t plain_strlcat(char *to, const char *from, size_t n) {
    size_t start = strnlen(to, n);
    return start + (start < n ? plain_strlcpy(to + start, from, n - start) : strlen(from));
}

static void writing(void) {
    char *from = string(2, SIZE - 1, alphabet());
    size_t n = random_below(SIZE);
    same_targets();
    WRITES("strcpy", strcpy(to, from), model_strcpy(to, from));
    WRITES("__strcpy_chk", strcpy(to, from), model___strcpy_chk(to, from, SIZE));
    WRITES("stpcpy", stpcpy(to, from), model_stpcpy(to, from));
    WRITES("__stpcpy", stpcpy(to, from), model___stpcpy(to, from));
    WRITES("__stpcpy_chk", stpcpy(to, from), model___stpcpy_chk(to, from, SIZE));
    WRITES("strncpy", strncpy(to, from, n), model_strncpy(to, from, n));
    WRITES("__strncpy_chk", strncpy(to, from, n), model___strncpy_chk(to, from, n, SIZE));
    WRITES("stpncpy", stpncpy(to, from, n), model_stpncpy(to, from, n));
    WRITES("__stpncpy", stpncpy(to, from, n), model___stpncpy(to, from, n));
    WRITES("__stpncpy_chk", stpncpy(to, from, n), model___stpncpy_chk(to, from, n, SIZE));
    WRITES("strlcpy", targets[0] + (plain_strlcpy(to, from, n)), targets[1] + (model_strlcpy(to, from, n)));
    WRITES("__memcpy_chk", memcpy(to, from, strlen(from)), model___memcpy_chk(to, from, strlen(from), SIZE));
    WRITES("__mempcpy_chk", mempcpy(to, from, strlen(from)), model___mempcpy_chk(to, from, strlen(from), SIZE));
    WRITES("__memmove_chk", memmove(to + 1, to, n), model___memmove_chk(to + 1, to, n, SIZE - 1));
    WRITES("__memset_chk", memset(to, from[0], n), model___memset_chk(to, from[0], n, SIZE));
    WRITES("bzero", (bzero(to, n), to), (model_bzero(to, n), to));
    WRITES("explicit_bzero", (bzero(to, n), to), (model_explicit_bzero(to, n), to));
    WRITES("__explicit_bzero_chk", (bzero(to, n), to), (model___explicit_bzero_chk(to, n, SIZE), to));
    WRITES("bcopy", (bcopy(to, to + 1, n), to), (model_bcopy(to, to + 1, n), to));
    WRITES("swab", (swab(from, to, strlen(from)), to), (model_swab(from, to, strlen(from)), to));
    size_t limit = random_below((unsigned)strlen(from) + 1);
    char *plain = memccpy(targets[0], from, 'b', limit), *modelled = NULL;
    EXPECT(ATTEMPT(modelled = model_memccpy(targets[1], from, 'b', limit)) == RETURNED, "memccpy");
    EXPECT(SAME(plain, targets[0], modelled, targets[1]), "memccpy");
    EXPECT(memcmp(targets[0], targets[1], SIZE) == 0, "memccpy: different bytes");

    /* Appending: a string in the target, with room for the other one. */
    from = string(2, 8, alphabet());
    size_t start = random_below(SIZE - 9);
    same_targets();
#define APPENDS(name, real, model) \
    targets[0][start] = targets[1][start] = 0; \
    WRITES(name, real, model)
    APPENDS("strcat", strcat(to, from), model_strcat(to, from));
    APPENDS("__strcat_chk", strcat(to, from), model___strcat_chk(to, from, SIZE));
    APPENDS("strncat", strncat(to, from, n), model_strncat(to, from, n));
    APPENDS("__strncat_chk", strncat(to, from, n), model___strncat_chk(to, from, n, SIZE));
    APPENDS("strlcat", targets[0] + plain_strlcat(to, from, n), targets[1] + model_strlcat(to, from, n));
}

/* ---- Functions that only read ----------------------------------------------------------- */

/* Both results, from the same arguments. */
#define READS(name, real, model, equal) \
    do { \
        __typeof__(real) real_result = (real), model_result = 0; \
        enum ending ending = ATTEMPT(model_result = (model)); \
        EXPECT(ending == RETURNED, "%s ends with %d", name, ending); \
        EXPECT(equal, "%s", name); \
    } while (0)
#define IDENTICAL (real_result == model_result)

static char *plain_strnstr(const char *s, const char *part, size_t n) {
    char *copy = strndup(s, n);
    char *found = strstr(copy, part);
    char *result = found ? (char *)s + (found - copy) : NULL;
    free(copy);
    return result;
}

static void reading(void) {
    const char *letters = alphabet();
    char *s = string(0, SIZE, letters), *t = string(1, 6, letters);
    size_t n = random_below(SIZE + 4), length = strlen(s);
    int c = random_below(8) ? letters[random_below((unsigned)strlen(letters))] : 0;
    READS("strlen", strlen(s), model_strlen(s), IDENTICAL);
    READS("strnlen", strnlen(s, n), model_strnlen(s, n), IDENTICAL);
    READS("strchr", strchr(s, c), model_strchr(s, c), IDENTICAL);
    READS("strrchr", strrchr(s, c), model_strrchr(s, c), IDENTICAL);
    READS("index", strchr(s, c), model_index(s, c), IDENTICAL);
    READS("rindex", strrchr(s, c), model_rindex(s, c), IDENTICAL);
    READS("strchrnul", strchrnul(s, c), model_strchrnul(s, c), IDENTICAL);
    READS("rawmemchr", rawmemchr(s, 0), model_rawmemchr(s, 0), IDENTICAL);
    READS("memchr", memchr(s, c, length + 1), model_memchr(s, c, length + 1), IDENTICAL);
    READS("memrchr", memrchr(s, c, length), model_memrchr(s, c, length), IDENTICAL);
    READS("strstr", strstr(s, t), model_strstr(s, t), IDENTICAL);
    READS("strcasestr", strcasestr(s, t), model_strcasestr(s, t), IDENTICAL);
    READS("strnstr", plain_strnstr(s, t, n), model_strnstr(s, t, n), IDENTICAL);
    READS("memmem", memmem(s, length, t, strlen(t)), model_memmem(s, length, t, strlen(t)), IDENTICAL);
    READS("strspn", strspn(s, t), model_strspn(s, t), IDENTICAL);
    READS("strcspn", strcspn(s, t), model_strcspn(s, t), IDENTICAL);
    READS("strpbrk", strpbrk(s, t), model_strpbrk(s, t), IDENTICAL);
    /* Often equal up to a place. */
    if (random_below(2)) {
        t = guarded(1, length + 1);
        memcpy(t, s, length + 1);
        if (random_below(2) && length > 0)
            t[random_below((unsigned)length)] ^= 32;
    }
#define SAME_SIGN (sign(real_result) == sign(model_result))
    READS("strcmp", strcmp(s, t), model_strcmp(s, t), SAME_SIGN);
    READS("strcoll", strcoll(s, t), model_strcoll(s, t), SAME_SIGN);
    READS("strncmp", strncmp(s, t, n), model_strncmp(s, t, n), SAME_SIGN);
    READS("strcasecmp", strcasecmp(s, t), model_strcasecmp(s, t), SAME_SIGN);
    READS("strncasecmp", strncasecmp(s, t, n), model_strncasecmp(s, t, n), SAME_SIGN);
}

/* ---- Tokens ----------------------------------------------------------------------------- */

typedef char *(*token_function)(char *, const char *, char **);

static void tokens(token_function model) {
    char *s = string(0, SIZE, "a,;"), *t = guarded(1, strlen(s) + 1);
    size_t size = strlen(s) + 1;
    memcpy(t, s, size);
    const char *set = random_below(2) ? "," : ",;";
    char *rest = NULL, *model_rest = NULL, *token, *model_token = NULL;
    char *from = s, *model_from = t;
    do {
        token = strtok_r(from, set, &rest);
        EXPECT(ATTEMPT(model_token = model(model_from, set, &model_rest)) == RETURNED, "strtok_r");
        EXPECT(SAME(token, s, model_token, t), "strtok_r");
        EXPECT(memcmp(s, t, size) == 0, "strtok_r: different bytes");
        from = model_from = NULL;
    } while (token);
}

static char *with_strtok(char *s, const char *set, char **rest) {
    (void)rest;
    return model_strtok(s, set);
}

static void separated(void) {
    char *s = string(0, SIZE, "a,;"), *t = guarded(1, strlen(s) + 1);
    memcpy(t, s, strlen(s) + 1);
    char *rest = s, *model_rest = t, *token, *model_token = NULL;
    do {
        token = strsep(&rest, ",;");
        EXPECT(ATTEMPT(model_token = model_strsep(&model_rest, ",;")) == RETURNED, "strsep");
        EXPECT(SAME(token, s, model_token, t) && SAME(rest, s, model_rest, t), "strsep");
    } while (token);
}

/* ---- Copies ----------------------------------------------------------------------------- */

static void copies(void) {
    char *s = string(0, SIZE, alphabet()), *copy = NULL;
    size_t n = random_below(SIZE + 4);
    int live = native_live();
#define COPIES(name, call, bytes) \
    do { \
        EXPECT(ATTEMPT(copy = call) == RETURNED, name); \
        EXPECT(strlen(copy) == (bytes) && memcmp(copy, s, bytes) == 0, name); \
        EXPECT(native_live() == ++live, name); \
    } while (0)
    COPIES("strdup", model_strdup(s), strlen(s));
    COPIES("__strdup", model___strdup(s), strlen(s));
    COPIES("strndup", model_strndup(s, n), strnlen(s, n));
    COPIES("__strndup", model___strndup(s, n), strnlen(s, n));
}

/* ---- What must not be accepted ---------------------------------------------------------- */

static void violations(void) {
    char *s = guarded(0, 8), *t = guarded(1, 8);
    memset(s, 'a', 8);
    memset(t, 'a', 8);
    EXPECT(ATTEMPT(model_strlen(s)) == FAULT, "strlen of an unterminated string");
    EXPECT(ATTEMPT(model_strcpy(t, "12345678")) == FAULT, "strcpy past the end");
    EXPECT(ATTEMPT(model_strncpy(t, "1", 9)) == FAULT, "strncpy pads past the end");
    memset(t, 'a', 8);
    EXPECT(ATTEMPT(model_strcmp(s, t)) == FAULT, "strcmp of unterminated strings");
    EXPECT(ATTEMPT(model_strncmp(s, t, 8)) == RETURNED, "strncmp stops in time");
    EXPECT(ATTEMPT(model_memchr(s, 'b', 9)) == FAULT, "memchr past the end");
    EXPECT(ATTEMPT(model___memset_chk(s, 0, 4, 3)) == CHECK_FAILED, "memset beyond the stated size");
    EXPECT(ATTEMPT(model___strcpy_chk(t, "12", 2)) == CHECK_FAILED, "strcpy beyond the stated size");
    EXPECT(ATTEMPT(model___strcpy_chk(t, "12", 3)) == RETURNED, "strcpy up to the stated size");
    EXPECT(ATTEMPT(model___stpcpy_chk(t, "12", 2)) == CHECK_FAILED, "stpcpy beyond the stated size");
    EXPECT(ATTEMPT(model___strncpy_chk(t, "1", 3, 2)) == CHECK_FAILED, "strncpy beyond the stated size");
    EXPECT(ATTEMPT(model___stpncpy_chk(t, "1", 3, 2)) == CHECK_FAILED, "stpncpy beyond the stated size");
    memcpy(t, "12", 3);
    EXPECT(ATTEMPT(model___strcat_chk(t, "3", 4)) == RETURNED, "strcat up to the stated size");
    EXPECT(ATTEMPT(model___strcat_chk(t, "4", 4)) == CHECK_FAILED, "strcat beyond the stated size");
    memcpy(t, "12", 3);
    EXPECT(ATTEMPT(model___strncat_chk(t, "34", 1, 4)) == RETURNED, "strncat up to the stated size");
    EXPECT(ATTEMPT(model___strncat_chk(t, "45", 1, 4)) == CHECK_FAILED, "strncat beyond the stated size");
    memcpy(s, "abc", 4);
    EXPECT(ATTEMPT(model_strcpy(s, s)) == CHECK_FAILED && !strcmp(native_check, "overlap"), "strcpy onto itself");
    EXPECT(ATTEMPT(model___memcpy_chk(s, s + 1, 2, 8)) == CHECK_FAILED && !strcmp(native_check, "overlap"), "overlap");
    EXPECT(ATTEMPT(model___memmove_chk(s, s + 1, 2, 8)) == RETURNED, "memmove may overlap");
    char *volatile none = NULL;
    EXPECT(ATTEMPT(model_strlen(none)) == FAULT, "strlen of null");
}

/* ---- Orders ----------------------------------------------------------------------------- */

static void orders(void) {
    const char *letters = random_below(3) ? "0129a." : "0019";
    char *s = string(0, 6, letters), *t = string(1, 6, letters);
    if (random_below(2))
        memcpy(t, s, strlen(s) < strlen(t) ? strlen(s) / 2 : strlen(t) / 2);
    int result = 0, want = strverscmp(s, t);
    EXPECT(ATTEMPT(result = model_strverscmp(s, t)) == RETURNED, "strverscmp");
    EXPECT((result > 0) == (want > 0) && (result < 0) == (want < 0), "strverscmp of %s, %s: %d, not %d", s, t, result, want);
    size_t n = random_below(SIZE);
    same_targets();
    s = string(2, SIZE - 1, "ab");
    size_t length = strxfrm(targets[0], s, n), model_length = 0;
    EXPECT(ATTEMPT(model_length = model_strxfrm(targets[1], s, n)) == RETURNED && length == model_length, "strxfrm");
    EXPECT(length >= n || !memcmp(targets[0], targets[1], SIZE), "strxfrm of %s", s);
    EXPECT(model_strxfrm(NULL, s, 0) == length, "strxfrm into nothing");
}

int main(void) {
    for (int i = 0; i < RUNS; i++) {
        orders();
        writing();
        reading();
        tokens(model_strtok_r);
        tokens(model___strtok_r);
        tokens(with_strtok);
        separated();
        if (i < 500)
            copies();
    }
    violations();
    static const char *const names[] = {
        "strlen", "strnlen", "strcpy", "stpcpy", "__stpcpy", "strncpy", "stpncpy", "__stpncpy", "strlcpy", "strcat",
        "strncat", "strlcat", "strcmp", "strcoll", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "index",
        "rindex", "strchrnul", "rawmemchr", "memchr", "memrchr", "strstr", "strcasestr", "strnstr", "memmem", "strspn",
        "strcspn", "strpbrk", "strtok", "strtok_r", "__strtok_r", "strsep", "strdup", "__strdup", "strndup",
        "__strndup", "bzero", "explicit_bzero", "__explicit_bzero_chk", "bcopy", "memccpy", "swab", "__strcpy_chk",
        "__stpcpy_chk", "__strncpy_chk", "__stpncpy_chk", "__strcat_chk", "__strncat_chk", "__memcpy_chk",
        "__mempcpy_chk", "__memmove_chk", "__memset_chk", "strverscmp", "strxfrm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        COVERS(names[i]);
}
