// A name that is lost where copying it fails.
#include <stdlib.h>
#include <string.h>

static char *copy(const char *text, size_t limit)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return NULL;
    strcpy(copy, text);
    if (strlen(copy) > limit)
        return NULL;
    return copy;
}

int main(void)
{
    char *name = copy("selkie", 5);
    free(name);
    return 0;
}
