// Looks a name up; it may not be there.
#include <stddef.h>
#include <string.h>
#include <svcomp.h>

struct entry {
    const char *name;
    int value;
};

static const struct entry entries[] = {{"one", 1}, {"two", 2}, {"three", 3}};

static const struct entry *find(const char *name) {
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (strcmp(entries[i].name, name) == 0) return &entries[i];
    return NULL;
}

int main(void) {
    char name[4] = "two";
    name[1] = __VERIFIER_nondet_char();
    const struct entry *found = find(name);
    return found ? found->value : -1;
}
