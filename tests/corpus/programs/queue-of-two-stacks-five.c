// A queue made of two stacks.
#include <svcomp.h>

struct stack {
    int items[5], top;
};

static void push(struct stack *s, int x) { s->items[s->top++] = x; }
static int pop(struct stack *s) { return s->items[--s->top]; }

static struct stack in, out;

static int take(void) {
    if (out.top == 0)
        while (in.top) push(&out, pop(&in));
    return pop(&out);
}

int main(void) {
    int put = 0, taken = 0;
    for (int i = 0; i < 5; i++) {
        if (__VERIFIER_nondet_bool()) push(&in, put++);
        else if (in.top || out.top) {
            if (take() != taken++) reach_error();
        }
    }
    return 0;
}
