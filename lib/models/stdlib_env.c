/* stdlib_env.c: the environment. A variable is unset or has any terminated string as its value, and keeps it
 * until the program changes it. */
#include "text.h"

#define STDLIB_ENV_SLOTS 8
/* Linux hands no longer strings to a program. */
#define STDLIB_ENV_LONGEST 131072

static struct {
    const char *name;
    size_t length;
    char *value;
} stdlib_env_table[STDLIB_ENV_SLOTS];
static int stdlib_env_count;
/* Somebody else may have changed variables. */
static _Bool stdlib_env__shared;

/* Strings of the environment are not the program's: `free` does not accept them, because they do not stand at
 * the start of their objects, and none is a leak, because each object leads to the one before. */
static char *stdlib_env_new(size_t length) {
    static char *last;
    char *block = __selkie_alloc(sizeof(char *) + length + 1);
    *(char **)block = last;
    last = block;
    block += sizeof(char *);
    block[length] = 0;
    return block;
}

/* The variable's slot, a new one if the program has not asked for it before. */
static int stdlib_env_slot(const char *name, size_t length, _Bool *is_new) {
    for (int i = 0; i < stdlib_env_count; i++)
        if (stdlib_env_table[i].length == length) {
            size_t k = 0;
            while (k < length && stdlib_env_table[i].name[k] == name[k])
                k++;
            if (k == length) {
                *is_new = 0;
                return i;
            }
        }
    if (stdlib_env_count >= STDLIB_ENV_SLOTS)
        __selkie_unsupported("more than 8 environment variables");
    char *copy = stdlib_env_new(length);
    for (size_t k = 0; k < length; k++)
        copy[k] = name[k];
    int i = stdlib_env_count++;
    stdlib_env_table[i].name = copy;
    stdlib_env_table[i].length = length;
    *is_new = 1;
    return i;
}

static char *stdlib_env_get(const char *name) {
    __selkie_note("strings of the environment count as heap memory for the check cleanup");
    _Bool is_new;
    int i = stdlib_env_slot(name, text_length(name), &is_new);
    if (is_new && any_bool()) {
        size_t length = any_size();
        sk_assume(length < STDLIB_ENV_LONGEST);
        stdlib_env_table[i].value = stdlib_env_new(length);
    }
    if (!is_new && stdlib_env__shared && rough_bool())
        stdlib_env_table[i].value = rough_bool() ? NULL : stdlib_env_new((size_t)rough_long() % STDLIB_ENV_LONGEST);
    return stdlib_env_table[i].value;
}

MODEL char *getenv(const char *name) {
    return stdlib_env_get(name);
}

MODEL char *secure_getenv(const char *name) {
    static _Bool asked, insecure;
    if (!asked) {
        asked = 1;
        insecure = any_bool();
    }
    return insecure ? NULL : stdlib_env_get(name);
}

/* Is the name not empty and free of equals signs? */
static _Bool stdlib_env_name(const char *name) {
    if (name && name[0] && !text_has(name, '='))
        return 1;
    errno = EINVAL;
    return 0;
}

MODEL int setenv(const char *name, const char *value, int replace) {
    if (!stdlib_env_name(name))
        return -1;
    if (!replace && stdlib_env_get(name))
        return 0;
    _Bool is_new;
    int i = stdlib_env_slot(name, text_length(name), &is_new);
    char *copy = stdlib_env_new(text_length(value));
    text_copy(copy, value);
    stdlib_env_table[i].value = copy;
    return 0;
}

MODEL int unsetenv(const char *name) {
    if (!stdlib_env_name(name))
        return -1;
    _Bool is_new;
    stdlib_env_table[stdlib_env_slot(name, text_length(name), &is_new)].value = NULL;
    return 0;
}

/* The string itself becomes part of the environment. */
MODEL int putenv(char *string) {
    size_t length = 0;
    while (string[length] && string[length] != '=')
        length++;
    _Bool is_new;
    int i = stdlib_env_slot(string, length, &is_new);
    stdlib_env_table[i].value = string[length] ? string + length + 1 : NULL;
    return 0;
}
