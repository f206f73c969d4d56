/* As string.c: options of the command line. */
#define _GNU_SOURCE
#include <getopt.h>
#include <selkie.h>
#include <stddef.h>
#include <string.h>

static int option_flag, option_index;
static const struct option options[] = {{"one", no_argument, &option_flag, 5}, {"two", required_argument, NULL, 'b'}, {0}};
#define call_getopt(count, arguments, letters) getopt(count, arguments, letters)
#define call_getopt_long(count, arguments, letters) getopt_long(count, arguments, letters, options, &option_index)
#define call_getopt_long_only(count, arguments, letters) getopt_long_only(count, arguments, letters, options, NULL)
/// holds: getopt getopt_long getopt_long_only
{
    char *arguments[] = {(char *)"program", (char *)"-b", (char *)"x", NULL};
    int c = call_FUNCTION(3, arguments, "ab:");
    sk_assert(c == -1 || c == 'a' || c == 'b' || c == '?' || (c == 0 && option_flag == 5));
    if (c == 'b')
        sk_assert(strlen(optarg) >= 1);
    sk_assert(optind >= 1 && optind <= 3 && option_index >= 0 && option_index <= 1);
}
/// violates deref: getopt getopt_long getopt_long_only
{
    char *arguments[] = {(char *)"program", (char *)"-b", (char *)"x", NULL};
    char open[2] = {'a', 'b'};
    call_FUNCTION(3, arguments, open);
}
/// violates deref: getopt getopt_long getopt_long_only
{
    call_FUNCTION(30, NULL, "b:c:d:e:");
}
/// violates deref: getopt_long getopt_long_only
{
    char *arguments[] = {(char *)"program", (char *)"--two", NULL};
    const struct option endless[1] = {{"one", no_argument, &option_flag, 5}};
    FUNCTION(2, arguments, "", endless, NULL);
}
/// holds: getopt
{
    char *arguments[] = {(char *)"program", (char *)"-ab", (char *)"x", (char *)"-bcd", (char *)"-z", (char *)"-b", NULL};
    sk_assert(getopt(6, arguments, ":ab:") == 'a' && optind == 1 && !optarg);
    sk_assert(getopt(6, arguments, ":ab:") == 'b' && optind == 3 && optarg == arguments[2]);
    sk_assert(getopt(6, arguments, ":ab:") == 'b' && optind == 4 && optarg == arguments[3] + 2);
    sk_assert(getopt(6, arguments, ":ab:") == '?' && optind == 5 && optopt == 'z');
    sk_assert(getopt(6, arguments, ":ab:") == ':' && optind == 6 && optopt == 'b');
    sk_assert(getopt(6, arguments, ":ab:") == -1 && optind == 6);
}
/// holds: getopt
{
    char *arguments[] = {(char *)"program", (char *)"-b", (char *)"--", (char *)"-a", NULL};
    sk_assert(getopt(4, arguments, "ab::") == 'b' && !optarg && optind == 2);
    sk_assert(getopt(4, arguments, "ab::") == -1 && optind == 3);
    char *words[] = {(char *)"program", (char *)"x", (char *)"y", NULL};
    optind = 0;
    sk_assert(getopt(3, words, "a") == -1 && optind == 1);
    optind = 0;
    sk_assert(getopt(3, words, "-a") == 1 && optarg == words[1] && optind == 2);
}
/// holds: getopt_long
{
    char *arguments[] = {(char *)"program", (char *)"--one", (char *)"--two=v", (char *)"--two", (char *)"w", (char *)"-a", NULL};
    sk_assert(call_getopt_long(6, arguments, "a") == 0 && option_flag == 5 && option_index == 0);
    sk_assert(call_getopt_long(6, arguments, "a") == 'b' && optarg == arguments[2] + 6 && option_index == 1);
    sk_assert(call_getopt_long(6, arguments, "a") == 'b' && optarg == arguments[4] && optind == 5);
    sk_assert(call_getopt_long(6, arguments, "a") == 'a' && optind == 6);
    sk_assert(call_getopt_long(6, arguments, "a") == -1);
}
/// violates assert: getopt
{
    char *arguments[] = {(char *)"program", (char *)"-b", (char *)"x", NULL};
    sk_assert(getopt(3, arguments, "abcdefgh") == -1);
}
