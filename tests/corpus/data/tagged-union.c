// A value that is a number or a text, and a tag that says which.
#include <string.h>
#include <svcomp.h>

struct value {
    enum { NUMBER, TEXT, NOTHING } kind;
    union {
        long number;
        const char *text;
    };
};

static long measure(const struct value *v) {
    switch (v->kind) {
    case NUMBER: return v->number;
    case TEXT: return (long)strlen(v->text);
    case NOTHING: return 0;
    }
    return -1;
}

int main(void) {
    struct value v = {.kind = __VERIFIER_nondet_uint() % 3};
    if (v.kind == NUMBER) v.number = 17;
    if (v.kind == TEXT) v.text = "walrus";
    long m = measure(&v);
    if (m != (v.kind == NUMBER ? 17 : v.kind == TEXT ? 6 : 0)) reach_error();
    return 0;
}
