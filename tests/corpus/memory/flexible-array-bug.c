// A message with its text behind the header.
#include <stdlib.h>
#include <string.h>
#include <svcomp.h>

struct message {
    unsigned length;
    char text[];
};

static struct message *make(const char *text) {
    unsigned length = (unsigned)strlen(text);
    struct message *m = malloc(sizeof *m + length);  // The bug: no room for the terminator.
    if (!m) return NULL;
    m->length = length;
    memcpy(m->text, text, length);
    m->text[length] = 0;
    return m;
}

int main(void) {
    char name[] = "selkie";
    name[__VERIFIER_nondet_uint() % 6] = 0;
    struct message *m = make(name);
    int same = m && strcmp(m->text, name) == 0;
    free(m);
    return !same;
}
