// Splits N symbolic bytes of JSON into tokens, each with its range and its parent.
//
// What comes out is valid: ranges lie in the text, in each other, and parents before their children.
#include <selkie.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#define TOKENS (N + 1)

enum kind { PRIMITIVE, STRING, ARRAY, OBJECT };

struct token {
    enum kind kind;
    int start, end;
    int size;
    int parent;
};

struct parser {
    unsigned pos;
    int used;
    int super;
};

static struct token *add(struct parser *p, struct token *tokens, enum kind kind, int start, int end) {
    if (p->used >= TOKENS) return NULL;
    struct token *t = &tokens[p->used++];
    t->kind = kind;
    t->start = start;
    t->end = end;
    t->size = 0;
    t->parent = p->super;
    if (p->super != -1) tokens[p->super].size++;
    return t;
}

static int primitive(struct parser *p, const char *text, size_t len, struct token *tokens) {
    int start = p->pos;
    for (; p->pos < len && text[p->pos]; p->pos++) {
        switch (text[p->pos]) {
        case '\t': case '\r': case '\n': case ' ': case ',': case ']': case '}': case ':':
            goto done;
        }
        if (text[p->pos] < 32 || text[p->pos] >= 127) return -2;
    }
done:
    if (!add(p, tokens, PRIMITIVE, start, p->pos)) return -1;
    p->pos--;
    return 0;
}

static int string(struct parser *p, const char *text, size_t len, struct token *tokens) {
    int start = p->pos++;
    for (; p->pos < len && text[p->pos]; p->pos++) {
        char c = text[p->pos];
        if (c == '"') {
            if (!add(p, tokens, STRING, start + 1, p->pos)) return -1;
            return 0;
        }
#ifdef BUG
        if (c == '\\') {
#else
        if (c == '\\' && p->pos + 1 < len) {
#endif
            p->pos++;
            switch (text[p->pos]) {
            case '"': case '/': case '\\': case 'b': case 'f': case 'r': case 'n': case 't':
                break;
            default:
                return -2;
            }
        }
    }
    return -3;
}

static int parse(struct parser *p, const char *text, size_t len, struct token *tokens) {
    for (; p->pos < len && text[p->pos]; p->pos++) {
        char c = text[p->pos];
        switch (c) {
        case '{': case '[': {
            if (!add(p, tokens, c == '{' ? OBJECT : ARRAY, p->pos, -1)) return -1;
            p->super = p->used - 1;
            break;
        }
        case '}': case ']': {
            enum kind kind = c == '}' ? OBJECT : ARRAY;
            int i = p->super;
            while (i != -1 && tokens[i].end != -1) i = tokens[i].parent;
            if (i == -1 || tokens[i].kind != kind) return -2;
            tokens[i].end = p->pos + 1;
            p->super = tokens[i].parent;
            break;
        }
        case '"': {
            int r = string(p, text, len, tokens);
            if (r < 0) return r;
            break;
        }
        case '\t': case '\r': case '\n': case ' ': case ':': case ',':
            break;
        default: {
            int r = primitive(p, text, len, tokens);
            if (r < 0) return r;
        }
        }
    }
    for (int i = p->used - 1; i >= 0; i--)
        if (tokens[i].end == -1) return -3;
    return p->used;
}

int main(void) {
    char text[N];
    struct token tokens[TOKENS];
    for (int i = 0; i < N; i++) text[i] = sk_nondet_char();
    struct parser p = {0, 0, -1};
    int n = parse(&p, text, N, tokens);
    sk_assert(n <= TOKENS);
    for (int i = 0; i < n; i++) {
        sk_assert(0 <= tokens[i].start && tokens[i].start <= tokens[i].end && tokens[i].end <= N);
        sk_assert(tokens[i].parent < i);
    }
    return 0;
}
