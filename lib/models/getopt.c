/* getopt.c: options of the command line. The arguments come from outside: any option that the program knows
 * may be next, with any argument; the order of argv stays. */
#include "text.h"

MODEL char *optarg;
MODEL int optind = 1;
MODEL int opterr = 1;
MODEL int optopt = '?';

/* One of the arguments of the program. */
static char *getopt_argument(int count, char *const *arguments) {
    return count > 1 ? arguments[any_int_in(1, count - 1)] : NULL;
}

/* Ends with -1, reports an error, or yields a letter of the set. */
static int getopt_short(int count, char *const *arguments, const char *options) {
    __selkie_note("getopt: any option that the program knows may come next; argv keeps its order");
    optarg = NULL;
    if (count <= 1 || any_bool()) {
        optind = any_int_in(1, count > 1 ? count : 1);
        return -1;
    }
    optind = any_int_in(1, count);
    if (*options == '+' || *options == '-')
        options++;
    if (any_bool()) {
        optopt = any_int();
        return *options == ':' && any_bool() ? ':' : '?';
    }
    if (*options == ':')
        options++;
    size_t n = text_length(options), i = any_size();
    sk_assume(i < n && options[i] != ':');
    if (options[i + 1] == ':' && !(options[i + 2] == ':' && any_bool()))
        optarg = getopt_argument(count, arguments);
    return (unsigned char)options[i];
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

/* The table ends with a name that is null. */
static int getopt_with_long(int count, char *const *arguments, const char *options,
                            const struct getopt_option *table, int *index) {
    int n = 0;
    while (table[n].name)
        n++;
    if (n == 0 || any_bool())
        return getopt_short(count, arguments, options);
    if (count <= 1)
        return -1;
    int i = any_int_in(0, n - 1);
    optind = any_int_in(1, count);
    optarg = NULL;
    if (table[i].has_argument == 1 || (table[i].has_argument == 2 && any_bool()))
        optarg = getopt_argument(count, arguments);
    if (index)
        *index = i;
    if (!table[i].flag)
        return table[i].value;
    *table[i].flag = table[i].value;
    return 0;
}

MODEL int getopt_long(int count, char *const *arguments, const char *options,
                      const struct getopt_option *table, int *index) {
    return getopt_with_long(count, arguments, options, table, index);
}

MODEL int getopt_long_only(int count, char *const *arguments, const char *options,
                           const struct getopt_option *table, int *index) {
    return getopt_with_long(count, arguments, options, table, index);
}
