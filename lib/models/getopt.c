/* getopt.c: options of the command line, as they stand in argv, one after the other. Where the real one would move
 * arguments that are no options behind those that are, or completes the name of a long option, any option that the program knows
 * may be next: no violation rests on that. */
#include "text.h"

MODEL char *optarg;
MODEL int optind = 1;
MODEL int opterr = 1;
MODEL int optopt = '?';

/* What is left of an argument with several letters, whether the next option is known only roughly, and '+' or '-' if
 * the letters began with it at the first call. */
static struct {
    char *rest;
    char order;
    _Bool begun;
    _Bool rough;
} getopt_state;

static _Bool getopt_is_option(const char *argument) {
    return argument[0] == '-' && argument[1];
}

/* One of the arguments of the program. */
static char *getopt_argument(int count, char *const *arguments) {
    return count > 1 ? arguments[rough_int_in(1, count - 1)] : NULL;
}

/* Ends with -1, reports an error, or yields a letter of the set. */
static int getopt_roughly(int count, char *const *arguments, const char *options) {
    __selkie_note("getopt: any option that the program knows may come next; argv keeps its order");
    getopt_state.rough = 1;
    optarg = NULL;
    if (count <= 1 || rough_bool()) {
        optind = rough_int_in(1, count > 1 ? count : 1);
        return -1;
    }
    optind = rough_int_in(1, count);
    if (*options == '+' || *options == '-')
        options++;
    if (rough_bool()) {
        optopt = rough_int();
        return *options == ':' && rough_bool() ? ':' : '?';
    }
    if (*options == ':')
        options++;
    size_t n = text_length(options), i = (size_t)rough_long();
    sk_assume(i < n && options[i] != ':');
    if (options[i + 1] == ':' && !(options[i + 2] == ':' && rough_bool()))
        optarg = getopt_argument(count, arguments);
    return (unsigned char)options[i];
}

/* The argument that holds the next option becomes the rest; else what is returned. */
static int getopt_next(int count, char *const *arguments, const char *options) {
    char order = getopt_state.order;
    if (optind >= count)
        return -1;
    char *next = arguments[optind];
    if (getopt_is_option(next)) {
        _Bool end = next[1] == '-' && !next[2];
        optind += end;
        getopt_state.rest = end ? NULL : next + 1;
        return end ? -1 : 0;
    }
    if (order == '-') {
        optarg = next;
        optind++;
        return 1;
    }
    for (int i = optind + 1; order != '+' && i < count; i++)
        if (getopt_is_option(arguments[i]))
            return getopt_roughly(count, arguments, options);
    return -1;
}

/* A letter of the set, by its place in it; null if there is none. */
static const char *getopt_find(const char *options, char letter) {
    if (letter == ':' || letter == ';')
        return NULL;
    while (*options && *options != letter)
        options++;
    return *options ? options : NULL;
}

/* Is the next option known only roughly? Whoever sets optind to 0 begins anew. */
static _Bool getopt_is_rough(const char *options) {
    if (optind == 0 || !getopt_state.begun) {
        optind = optind ? optind : 1;
        getopt_state.begun = 1;
        getopt_state.order = *options;
        getopt_state.rest = NULL;
        getopt_state.rough = 0;
    }
    return getopt_state.rough;
}

static int getopt_short(int count, char *const *arguments, const char *options) {
    if (getopt_is_rough(options))
        return getopt_roughly(count, arguments, options);
    optarg = NULL;
    if (!getopt_state.rest) {
        int result = getopt_next(count, arguments, options);
        if (result || getopt_state.rough)
            return result;
    }
    if (*options == '+' || *options == '-')
        options++;
    char letter = *getopt_state.rest++;
    const char *found = getopt_find(options, letter);
    if (found && found[0] == 'W' && found[1] == ';')
        return getopt_roughly(count, arguments, options);
    _Bool last = !*getopt_state.rest;
    if (found && found[1] == ':') {
        optind++;
        if (!last)
            optarg = getopt_state.rest;
        else if (found[2] != ':' && optind < count)
            optarg = arguments[optind++];
        last = 1;
        if (!optarg && found[2] != ':') {
            optopt = (unsigned char)letter;
            letter = *options == ':' ? ':' : '?';
        }
    } else {
        optind += last;
    }
    if (last)
        getopt_state.rest = NULL;
    if (found)
        return (unsigned char)letter;
    optopt = (unsigned char)letter;
    return '?';
}

MODEL int getopt(int count, char *const *arguments, const char *options) {
    return getopt_short(count, arguments, options);
}

struct getopt_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* A long option by its number. */
static int getopt_take(const struct getopt_option *option, int number, int *index) {
    if (index)
        *index = number;
    if (!option->flag)
        return option->value;
    *option->flag = option->value;
    return 0;
}

/* Some option of the table, or a letter of the set. The table ends with a name that is null. */
static int getopt_long_roughly(int count, char *const *arguments, const char *options,
                               const struct getopt_option *table, int *index) {
    int n = 0;
    while (table[n].name)
        n++;
    if (n == 0 || rough_bool())
        return getopt_roughly(count, arguments, options);
    getopt_state.rough = 1;
    if (count <= 1)
        return -1;
    int i = rough_int_in(0, n - 1);
    optind = rough_int_in(1, count);
    optarg = NULL;
    if (table[i].has_argument == 1 || (table[i].has_argument == 2 && rough_bool()))
        optarg = getopt_argument(count, arguments);
    return getopt_take(&table[i], i, index);
}

/* The length of a name, if the argument begins with it and ends there, or with '='. */
static size_t getopt_match(const char *name, const char *argument) {
    size_t i = 0;
    while (name[i] && name[i] == argument[i])
        i++;
    return !name[i] && (!argument[i] || argument[i] == '=') ? i : 0;
}

static int getopt_with_long(int count, char *const *arguments, const char *options,
                            const struct getopt_option *table, int *index, _Bool only) {
    _Bool rough = getopt_is_rough(options);
    if (!rough && (getopt_state.rest || optind >= count))
        return getopt_short(count, arguments, options);
    char *next = rough ? NULL : arguments[optind];
    if (!rough && getopt_is_option(next) && !only && (next[1] != '-' || !next[2]))
        return getopt_short(count, arguments, options);
    if (rough || only || !getopt_is_option(next)) {
        // Without a further option all of them agree.
        for (int i = rough ? count : optind; i < count; i++)
            rough |= getopt_is_option(arguments[i]);
        if (!rough)
            return getopt_short(count, arguments, options);
        return getopt_long_roughly(count, arguments, options, table, index);
    }
    for (int i = 0; table[i].name; i++) {
        size_t length = getopt_match(table[i].name, next + 2);
        char *value = next + 2 + length;
        if (length == 0 || (*value && !table[i].has_argument) ||
            (!*value && table[i].has_argument == 1 && optind + 1 >= count))
            continue; // Another one, or an error.
        optarg = NULL;
        optind++;
        if (*value)
            optarg = value + 1;
        else if (table[i].has_argument == 1)
            optarg = arguments[optind++];
        return getopt_take(&table[i], i, index);
    }
    return getopt_long_roughly(count, arguments, options, table, index);
}

MODEL int getopt_long(int count, char *const *arguments, const char *options,
                      const struct getopt_option *table, int *index) {
    return getopt_with_long(count, arguments, options, table, index, 0);
}

MODEL int getopt_long_only(int count, char *const *arguments, const char *options,
                           const struct getopt_option *table, int *index) {
    return getopt_with_long(count, arguments, options, table, index, 1);
}
